//! What little is known of further languages: the words of labels and marks.

use crate::{Concept, Language};

pub(super) const OTHER: Language = Language {
    code: "und",
    numbers: &[],
    more_numbers: &[],
    phrases: &[&[
        (
            Concept::MarkUnit,
            &["分", "mata", "amamaki", "punkti", "punktai", "taškai", "점", "点", "คะแนน", "अंक", "نمره"],
        ),
        (Concept::Label, &["exercici", "umbuzo", "uzdevums", "užduotis", "ülesanne", "प्रश्न"]),
        (Concept::AskingLabel, &["प्रश्न"]),
        (Concept::AsksChoice, &["选择题", "单项选择"]),
        (Concept::PaperTotal, &["满分", "全卷满分", "本卷满分", "试卷满分", "卷面满分"]),
        (Concept::LabelColumn, &["题号", "题序"]),
        (Concept::Verdict, &["对", "错", "正确", "错误"]),
        (Concept::Each, &["每"]),
        (Concept::PaperTotalAtStart, &["amamaki:"]),
        (Concept::LabelAdjective, &["al", "n°", "nº", "n.º", "n.°", "no", "nr", "num"]),
        (Concept::SchemeTitle, &["umhlahlandlela wokumaka", "参考答案"]),
        (Concept::Section, &["بخش", "isiqephu", "部分"]),
        (Concept::Total, &["合计", "满分", "总分"]),
        (Concept::Of, &["iz"]),
        (Concept::AnswerLead, &["答案", "答", "解"]),
        (Concept::SolutionLead, &["答案", "答", "解", "证明"]),
        (Concept::AnswerColumn, &["答案"]),
        (Concept::MarksColumn, &["分值"]),
    ]],
    opposites: &[],
    negations: "非 不 没",
    stop_words: "",
};
