fn main() {
    let d = std::env::args().nth(1).unwrap();
    let o = reader::Options::default();
    let p = reader::pages(&std::fs::read(format!("{d}/paper.pdf")).unwrap(), &o).unwrap();
    let s = reader::pages(&std::fs::read(format!("{d}/scheme.pdf")).unwrap(), &o).unwrap();
    let paper = exam::paper::read(&p);
    let scheme = exam::scheme::read(&s, &paper);
    for e in &scheme.entries {
        eprintln!("{}{} p{}", e.path[0].value, exam::labels::display(&e.path), e.page);
        for l in &e.lines {
            eprintln!(
                "     {:.1} {}[{}] <{}> {{{}}}",
                l.space,
                if l.repeats_question { "R " } else { "" },
                l.answer,
                l.marks,
                l.guidance
            );
        }
    }
}
