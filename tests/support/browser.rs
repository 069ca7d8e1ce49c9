//! A real browser: Chromium, led through WebDriver, which is HTTP and JSON.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{command::quiet, tools};

/// How Chromium is started: without a display, without its sandbox, which containers do not allow, and without
/// anything that asks the network.
const OPTIONS: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// A window of the browser.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// The profile of the browser's user.
    _user: TempDir,
}

impl Browser {
    /// Opens a window. If there is no Chromium, this says so, and fails in CI.
    ///
    /// # Panics
    ///
    /// If the browser does not start.
    pub fn open(width: u32, height: u32) -> Option<Self> {
        Self::open_with(&["--disable-gpu"], width, height)
    }

    /// Opens a window for pages that want the graphics processor, whose work the main processor does. If there is
    /// no Chromium, this says so, and fails in CI.
    ///
    /// # Panics
    ///
    /// If the browser does not start.
    pub fn open_with_graphics(width: u32, height: u32) -> Option<Self> {
        let software = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
        Self::open_with(&software, width, height)
    }

    fn open_with(graphics: &[&str], width: u32, height: u32) -> Option<Self> {
        let (binary, driver) = (tools::find("chromium")?, tools::find("chromedriver")?);
        let mut driver = start(quiet(driver));
        let port = port_of(&mut driver);
        let user = tempfile::tempdir().expect("a temporary folder");
        let mut browser = Self { driver, port, session: String::new(), _user: user };
        let mut options: Vec<String> =
            OPTIONS.iter().chain(graphics).map(|word| (*word).to_owned()).collect();
        options.push(format!("--window-size={width},{height}"));
        options.push(format!("--user-data-dir={}", browser._user.path().display()));
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": binary, "args": options},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let session = browser.post("/session", wanted);
        browser.session = format!("/session/{}", session["sessionId"].as_str().expect("an id"));
        Some(browser)
    }

    /// Shows a page of a file, at the place that `hash` names, and waits until it is ready.
    ///
    /// # Panics
    ///
    /// If it does not become ready.
    pub fn show(&self, page: &Path, hash: &str) {
        self.load(page, hash);
        self.wait_for("return document.body.dataset.ready === '1'");
    }

    /// Loads a page of a file, at the place that `hash` names.
    pub fn load(&self, page: &Path, hash: &str) {
        // A page that differs by the hash alone would not be loaded again.
        self.post("/url", json!({"url": "about:blank"}));
        self.post("/url", json!({"url": format!("file://{}{hash}", page.display())}));
    }

    /// Waits until a script says `true`.
    ///
    /// # Panics
    ///
    /// If it does not within a minute.
    pub fn wait_for(&self, script: &str) {
        for _ in 0..1200 {
            if self.run(script) == true {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("{script} did not become true; the log: {:?}", self.log());
    }

    /// The value of a script.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({"script": script, "args": []}))
    }

    /// The text of a script's value.
    pub fn text(&self, script: &str) -> String {
        let value = self.run(script);
        value.as_str().unwrap_or_else(|| panic!("{script}: {value} is no text")).to_owned()
    }

    /// Presses keys, one after the other. Those without a letter have the codes of WebDriver: see [`key`].
    pub fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key})))
            .collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": actions});
        self.post("/actions", json!({"actions": [keyboard]}));
    }

    /// Clicks the middle of the first element of a CSS selector.
    pub fn click(&self, selector: &str) {
        let element = self.post("/element", json!({"using": "css selector", "value": selector}));
        let id =
            element.as_object().and_then(|it| it.values().next()?.as_str()).expect("an element");
        self.post(&format!("/element/{id}/click"), json!({}));
    }

    /// Drags the mouse over the first element of a CSS selector, from one fraction of its width to another, in so many
    /// moves, a hundred of which take a second.
    pub fn drag(&self, selector: &str, (from, to): (f64, f64), moves: u32) {
        let script = format!(
            "const {{ left, top, width }} = document.querySelector('{selector}').getBoundingClientRect(); \
             return [left, width, top]"
        );
        let [left, width, top]: [f64; 3] =
            serde_json::from_value(self.run(&script)).expect("a place");
        let step = |step: u32| {
            let part = from + (to - from) * f64::from(step) / f64::from(moves);
            let (x, y) = ((left + part * width).round(), top.round() + 5.0);
            json!({"type": "pointerMove", "x": x as i64, "y": y as i64, "duration": 10})
        };
        let button = |kind: &str| json!({"type": kind, "button": 0});
        let mut actions = vec![step(0), button("pointerDown")];
        actions.extend((1..=moves).map(step));
        actions.push(button("pointerUp"));
        let mouse = json!({"type": "pointer", "id": "mouse", "actions": actions});
        self.post("/actions", json!({"actions": [mouse]}));
    }

    /// Has pages that are shown from now on run a script before their own.
    pub fn run_first(&self, script: &str) {
        let command =
            json!({"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": script}});
        self.post("/goog/cdp/execute", command);
    }

    /// The page as it would be printed, a PDF in base64.
    pub fn print(&self) -> String {
        self.post("/print", json!({})).as_str().expect("a document").to_owned()
    }

    /// Lets the page believe that its user prefers dark colours.
    pub fn prefer_dark(&self) {
        let dark = json!({"name": "prefers-color-scheme", "value": "dark"});
        let command = json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": [dark]}});
        self.post("/goog/cdp/execute", command);
    }

    /// What scripts wrote into the log, errors above all, since somebody last asked.
    pub fn log(&self) -> Vec<String> {
        let entries = self.post("/se/log", json!({"type": "browser"}));
        entries.as_array().into_iter().flatten().map(|entry| entry["message"].to_string()).collect()
    }

    /// The addresses of all requests for something that is neither a file nor in the page. Those of the browser's own
    /// first page (`chrome:`), which come at any time, do not count.
    pub fn requests(&self) -> Vec<String> {
        const OWN: [&str; 4] = ["file://", "data:", "about:blank", "chrome://"];
        let entries = self.post("/se/log", json!({"type": "performance"}));
        let messages = entries.as_array().into_iter().flatten().filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let is_one = message["method"] == "Network.requestWillBeSent";
            is_one.then(|| message["params"]["request"]["url"].as_str().map(str::to_owned))?
        });
        messages.filter(|address| !OWN.iter().any(|own| address.starts_with(own))).collect()
    }

    fn post(&self, path: &str, body: Value) -> Value {
        self.request("POST", path, &body.to_string())
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a driver");
        write!(
            stream,
            "{method} {}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.session,
            body.len()
        )
        .expect("a driver that listens");
        let body = body_of(BufReader::new(stream));
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        let value = body["value"].clone();
        assert!(value["error"].is_null(), "{method} {path}: {value}");
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !thread::panicking() {
            self.request("DELETE", "", "");
        }
        // After a panic, too, nothing of it goes on.
        let group = format!("-{}", self.driver.id());
        let _ = quiet("kill").args(["-KILL", "--", &group]).status();
        let _ = self.driver.wait();
    }
}

/// Keys without a letter.
pub mod key {
    #![allow(missing_docs)]
    pub const ENTER: &str = "\u{e007}";
    pub const ESCAPE: &str = "\u{e00c}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
    pub const HOME: &str = "\u{e011}";
}

fn start(mut driver: Command) -> Child {
    // The browser and its processes belong to the driver's group.
    driver
        .process_group(0)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    driver.spawn().expect("chromedriver")
}

/// The body of an answer. The driver leaves the connection open, whatever it is asked for.
fn body_of(mut answer: impl BufRead) -> Vec<u8> {
    let (mut length, mut line) = (0, String::new());
    while answer.read_line(&mut line).expect("an answer") > 0 && line != "\r\n" {
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        line.clear();
    }
    let mut body = vec![0; length];
    answer.read_exact(&mut body).expect("a body");
    body
}

/// The port that the driver chose, which it tells.
fn port_of(driver: &mut Child) -> u16 {
    let mut said = BufReader::new(driver.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while said.read_line(&mut line).expect("text") > 0 {
        let port = line
            .rsplit_once("successfully on port ")
            .and_then(|(_, rest)| rest.trim_end().trim_end_matches('.').parse().ok());
        if let Some(port) = port {
            // It must be able to go on talking.
            thread::spawn(move || said.read_to_end(&mut Vec::new()));
            return port;
        }
        line.clear();
    }
    panic!("chromedriver told no port");
}

/// What finds out whether everybody can use a page: npm's axe-core.
pub struct Axe(String);

impl Axe {
    /// The script that the environment names. If it names none, this says so, and fails in CI.
    ///
    /// # Panics
    ///
    /// If the file is not there.
    pub fn find() -> Option<Self> {
        const NAME: &str = "GMON_AXE";
        let Some(file) = std::env::var_os(NAME) else {
            tools::skip(format!("{NAME} names no axe.min.js (npm install axe-core)"));
            return None;
        };
        Some(Self(std::fs::read_to_string(file).expect("axe-core")))
    }

    /// What keeps people from using the page that a browser shows, as JSON: `[]` if nothing does.
    pub fn violations(&self, browser: &Browser) -> String {
        browser.run(&self.0);
        // Colours that are still changing have other contrasts.
        browser.run(
            "window.found = null; Promise.all(document.getAnimations().map((it) => it.finished))\
             .then(() => axe.run()).then((result) => (window.found = JSON.stringify(\
             result.violations.map((it) => [it.id, it.nodes.map((node) => node.html)]))))",
        );
        browser.wait_for("return window.found !== null");
        browser.text("return window.found")
    }
}
