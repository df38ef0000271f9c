//! `GET /v1/subjects`

use serde_json::json;

fn names(body: &serde_json::Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

testkit::on_both_engines! {
    async fn the_catalogue_is_there_from_the_start_by_name(app: App) {
        let list = app.get("/v1/subjects?limit=100").send().await.body;
        let mut sorted = names(&list);
        sorted.sort_unstable();
        assert_eq!(names(&list), sorted);
        assert!(sorted.contains(&"Mathematics"));
        let test = app.get("/v1/subjects?limit=1").key(&app.test_key).send().await.body;
        assert_eq!(test["data"][0]["livemode"], json!(false));
        app.service.fill_catalogue().await.unwrap();
        assert_eq!(app.get("/v1/subjects?limit=100").send().await.body, list, "filling it again adds nothing");
    }

    async fn a_query_ignores_case_and_accents(app: App) {
        app.service.add_subject("Économie Politique".into(), Some("ÉP-1".into()), Some("Baccalauréat".into())).await.unwrap();
        for query in ["économie", "ECONOMIE", "mie%20pol", "ep-1", "%C3%89P"] {
            let list = app.get(&format!("/v1/subjects?query={query}")).send().await.body;
            assert_eq!(names(&list), ["Économie Politique"], "{query}");
            assert_eq!(list["data"][0]["level"], "Baccalauréat");
        }
        let two = app.get("/v1/subjects?query=econom").send().await.body;
        assert_eq!(names(&two), ["Economics", "Économie Politique"]);
        let none = app.get("/v1/subjects?query=%25").send().await.body;
        assert!(names(&none).is_empty(), "a percent sign is a percent sign");
        assert_eq!(app.get("/v1/subjects?query=").send().await.problem(), "400 parameter_invalid query");
        let long = format!("/v1/subjects?query={}", "x".repeat(101));
        assert_eq!(app.get(&long).send().await.problem(), "400 parameter_invalid query");
    }

    async fn pages_cover_the_catalogue_and_a_search(app: App) {
        for query in ["", "&query=s"] {
            let whole = app.get(&format!("/v1/subjects?limit=100{query}")).send().await;
            let mut seen = Vec::new();
            let mut path = format!("/v1/subjects?limit=3{query}");
            loop {
                let page = app.get(&path).send().await;
                seen.extend(page.ids());
                let Some(cursor) = page.body["next_cursor"].as_str() else { break };
                path = format!("/v1/subjects?limit=3{query}&cursor={cursor}");
            }
            assert_eq!(seen, whole.ids());
        }
    }
}
