"""Tables of a system comparison, and the question each answers."""

from rainbow.scoring.result_tables import Table

PREFERENCES = Table("preferences", "Which system do people prefer in side-by-side comparisons?")
POSITION_BIAS = Table("position_bias", "How often does a preference depend on the order of the two outputs?", "measure")

TABLES = (
    Table("corpus_metrics", "Which system is better by corpus metrics?", "groups"),
    Table("corpus_metric_differences", "Do two systems differ significantly?", "first second"),
    Table("similarity", "How similar are the outputs of two systems?", "reference_system"),
    Table("similarity_means", "Which systems differ most from the others?"),
    Table("textual", "How long, rich and varied are the texts?", "view measure"),
    Table("slot_errors", "Do the texts express their input?", "method"),
    Table("utterance_slot_errors", "Which text has which slot error?", "method"),
    Table("outputs", "What does every system write, and what was its input?", "output"),
    Table("inputs", "What was the input?", "mr references"),
    Table("rankings", "Which system do people prefer?", "method"),
    Table("system_ratings", "How do people rate each system?", "scale"),
    Table("judgement_agreement", "Do people agree about the same outputs?", "measure"),
    Table("belz_reiter_scores", "How good are the systems by the metrics of Belz and Reiter (2006)?"),
    Table("belz_reiter_differences", "Do two systems differ in these metrics?", "first second"),
    Table("belz_reiter_raters", "How well does one rater represent a group?", "raters group"),
    Table("notes", "What was repaired or excluded, and what could not be computed?", "place problem fix"),
)
