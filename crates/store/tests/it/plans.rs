//! The plan says where a statement reads a whole table.

use crate::engines::for_each_store;

#[tokio::test]
async fn a_scan_is_told_from_a_search() {
    for_each_store(async |store| {
        let mut db = store.read().await.unwrap();
        for indexed in [
            "SELECT id FROM things WHERE id = $1",
            "SELECT id FROM things WHERE number = $1 AND id > $2 ORDER BY number, id LIMIT $3",
            "SELECT id, note FROM things ORDER BY number, id LIMIT $1",
            "UPDATE counters SET value = $2 WHERE id = $1",
        ] {
            db.explain(indexed).await.unwrap().assert_in_index_order();
        }
        for scanning in [
            "SELECT id FROM things WHERE ratio = $1",
            "SELECT id FROM things",
            "SELECT id FROM things WHERE note = $1 ORDER BY number, id LIMIT 3",
        ] {
            let plan = db.explain(scanning).await.unwrap();
            assert_eq!(plan.scans().len(), 1, "{plan}");
        }
        let sorted =
            db.explain("SELECT id FROM things WHERE number = $1 ORDER BY note LIMIT 3").await.unwrap();
        assert_eq!((sorted.scans().len(), sorted.sorts().len()), (0, 1), "{sorted}");
    })
    .await;
}
