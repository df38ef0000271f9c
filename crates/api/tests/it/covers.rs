//! Cover sheets by API: what their codes say, and the sheets to print.

use crate::class_scans::ready_paper;
use domain::cover::Cover;
use reader::isolate::{Isolation, Limits};
use reader::ocr::Weights;
use serde_json::json;

testkit::on_both_engines! {
    async fn sheets_are_made_for_a_class_and_their_codes_are_read_again(app: App) {
        let paper = ready_paper(&app).await;
        let path = format!("/v1/papers/{}/covers", paper["id"].as_str().unwrap());
        let class = json!({"students": [
            {"external_id": "s-1", "name": "Ada Lovelace", "class": "7b"},
            {"external_id": "学生-2", "name": null},
        ]});
        let told = app.post(&path).key(&app.test_key).json(&class).send().await;
        assert_eq!((told.status, &told.body["object"]), (200, &json!("covers")), "{}", told.text);
        let sheets = told.body["sheets"].as_array().unwrap();
        let cover = Cover::parse(sheets[0]["token"].as_str().unwrap()).unwrap();
        assert_eq!((json!(cover.paper_id.to_string()), cover.external_id.as_str()), (paper["id"].clone(), "s-1"));
        let printed = app.post(&path).key(&app.test_key).header("accept", "application/pdf").json(&class).send().await;
        assert_eq!((printed.status, printed.header("content-type")), (200, Some("application/pdf")));
        let reader = Isolation::in_process(Limits::default(), Weights::default());
        let seen = reader.glance(&printed.bytes.to_vec()).unwrap();
        let codes: Vec<&str> = seen.iter().flat_map(|page| page.codes.iter().map(String::as_str)).collect();
        assert_eq!(codes, sheets.iter().map(|sheet| sheet["token"].as_str().unwrap()).collect::<Vec<_>>());
    }

    async fn a_wrong_class_is_refused(app: App) {
        let paper = ready_paper(&app).await;
        let path = format!("/v1/papers/{}/covers", paper["id"].as_str().unwrap());
        let many: Vec<_> = (0..1001).map(|number| json!({"external_id": format!("s{number}")})).collect();
        for (body, problem) in [
            (json!({}), "400 parameter_missing students"),
            (json!({"students": []}), "400 parameter_invalid students"),
            (json!({"students": many}), "400 parameter_invalid students"),
            (json!({"students": [{"name": "Ada"}]}), "400 parameter_missing students[0].external_id"),
            (json!({"students": [{"external_id": "a\u{202e}b"}]}), "400 parameter_invalid students[0].external_id"),
            (json!({"students": [{"external_id": "a"}, {"external_id": "a"}]}), "400 parameter_invalid students[1].external_id"),
            (json!({"students": [{"external_id": "a", "age": 7}]}), "400 parameter_unknown students[0].age"),
        ] {
            assert_eq!(app.post(&path).key(&app.test_key).json(&body).send().await.problem(), problem);
        }
        let class = json!({"students": [{"external_id": "a"}]});
        assert_eq!(app.post(&path).json(&class).send().await.status, 404, "the other mode's paper is not there");
    }
}
