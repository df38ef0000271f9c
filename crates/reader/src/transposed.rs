//! A table's rows as columns.

/// A table of rows by columns as columns by rows.
pub(crate) fn transposed<T: Copy + Default>(table: &[T], rows: usize, columns: usize) -> Vec<T> {
    // By squares that stay within reach: whole columns lie too far apart in memory.
    const SQUARE: usize = 32;
    let mut out = vec![T::default(); rows * columns];
    for top in (0..rows).step_by(SQUARE) {
        for left in (0..columns).step_by(SQUARE) {
            for row in top..(top + SQUARE).min(rows) {
                for column in left..(left + SQUARE).min(columns) {
                    out[column * rows + row] = table[row * columns + column];
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_turned_twice_is_as_it_was() {
        for (rows, columns) in [(0, 3), (1, 1), (2, 5), (33, 70)] {
            let table: Vec<usize> = (0..rows * columns).collect();
            let once = transposed(&table, rows, columns);
            assert!((0..rows * columns).all(|at| once[at % columns * rows + at / columns] == at));
            assert_eq!(transposed(&once, columns, rows), table);
        }
    }
}
