use kindsmith_formats::named::{self, NAMED};

#[test]
fn reports_the_texts_of_the_cel_formats() {
    let mut report = super::Report::default();
    let mut names = Vec::new();
    for row in super::rows(include_str!("../data/named.tsv")) {
        let format = named::find(&row[1]).expect("every recorded format exists");
        if row[0] == "format" {
            names.push(format.name);
            let got = [format.title.to_owned(), format.regex_size.to_string()];
            report.compare(&row[1], &got[..], &row[2..]);
            continue;
        }
        let mut got = Vec::new();
        (format.check)(&row[2], &mut |text| got.push(text));
        report.compare(&row[1..3].join(" "), &got[..], &row[3..]);
    }
    let all: Vec<_> = NAMED.iter().map(|format| format.name).collect();
    report.compare("names", &all, &names);
    report.finish(500);
}
