//! The regularised incomplete beta function, of which the distributions of counts and of Student's t consist.

/// The part of a beta distribution with parameters `a` and `b`, both positive, that lies below `x`.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    debug_assert!(!x.is_nan(), "the fraction would never converge");
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = a * x.ln() + b * (-x).ln_1p() - ln_beta(a, b);
    // The fraction converges fast only below the mean.
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * fraction(a, b, x) / a
    } else {
        1.0 - front.exp() * fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the function (DLMF 8.17.22), by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    /// Stand-in for a zero in a denominator.
    const TINY: f64 = 1e-300;
    /// Near the mean it takes about the square root of the parameters.
    const MOST: u32 = 1_000_000;
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for step in 1..MOST {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / nonzero(1.0 + even * d);
        c = nonzero(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / nonzero(1.0 + odd * d);
        c = nonzero(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The logarithm of the complete beta function.
fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// The logarithm of the gamma function of a positive number, by Stirling's series (DLMF 5.11.1).
fn ln_gamma(x: f64) -> f64 {
    /// From here on so many terms are exact.
    const LARGE: f64 = 16.0;
    const TERMS: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let (mut x, mut shift) = (x, 1.0);
    while x < LARGE {
        shift *= x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = TERMS.iter().rev().fold(0.0, |sum, term| sum * square + term) / x;
    let half_ln_2_pi = 0.5 * std::f64::consts::TAU.ln();
    (x - 0.5) * x.ln() - x + half_ln_2_pi + series - shift.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_is_the_factorial() {
        let mut factorial = 1.0_f64;
        for n in 1..30 {
            let x = f64::from(n);
            assert!((ln_gamma(x) - factorial.ln()).abs() < 1e-13 * factorial.ln().max(1.0), "{n}");
            factorial *= x;
        }
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-14);
    }

    /// Known formulas hold: b = 1 and a = 1.
    #[test]
    fn powers_are_exact() {
        for x in [1e-9, 0.1, 0.5, 0.9, 1.0 - 1e-9] {
            for a in [0.5, 1.0, 3.0, 40.0] {
                let (low, high) = (incomplete_beta(a, 1.0, x), incomplete_beta(1.0, a, x));
                assert!((low - x.powf(a)).abs() <= 1e-13 * x.powf(a), "{x} {a}");
                assert!((high - (1.0 - (1.0 - x).powf(a))).abs() < 1e-13, "{x} {a}");
            }
        }
        assert_eq!((incomplete_beta(2.0, 3.0, 0.0), incomplete_beta(2.0, 3.0, 1.0)), (0.0, 1.0));
    }
}
