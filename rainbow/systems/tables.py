"""Tables of a system comparison, and the question each answers."""

from rainbow.scoring.result_tables import Table

PREFERENCES = Table("preferences", "Which system do people prefer, of two side by side?")

TABLES = (
    Table("corpus_metrics", "Which system do metrics of all its outputs call better?", "groups"),
    Table("corpus_metric_differences", "Is the difference of two systems real?", "first second"),
    Table("similarity", "How alike are the outputs of two systems?", "reference_system"),
    Table("similarity_means", "Which systems say what no other says?"),
    Table("textual", "How long, rich and varied are the texts?", "view measure"),
    Table("slot_errors", "Do the texts say what they are to say?", "method"),
    Table("utterance_slot_errors", "Which text says what wrong?", "method"),
    Table("outputs", "What does every system say, and what was it to say?", "output"),
    Table("inputs", "What was it to say?", "mr references"),
    Table("rankings", "Which system do people prefer?", "method"),
    Table("system_ratings", "How high do people rate each system?", "scale"),
    Table("judgement_agreement", "Do people who judged the same outputs agree?", "measure"),
    Table("belz_reiter_scores", "How good are the systems by the metrics of Belz and Reiter (2006)?"),
    Table("belz_reiter_differences", "Do two systems differ in these?", "first second"),
    Table("belz_reiter_raters", "How well does one rater stand for a group?", "raters group"),
    Table("notes", "What was mended or left out, and what could not be computed?", "place problem mended"),
)
