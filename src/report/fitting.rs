//! The indentation of trees.

pub(super) use gmon_analyzer::table::fitted_name;
use gmon_analyzer::table::{indentation, left};

/// The cells of a row, and as much behind them as the depth in a tree indents its name.
pub(super) fn indented(cells: &str, depth: usize, columns: Option<usize>) -> String {
    format!("{cells}{}", indentation(depth, left(columns, cells)))
}
