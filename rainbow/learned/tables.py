"""Tables of a learned metric's evaluation, and the question each answers."""

from rainbow.scoring.result_tables import Table

TABLES = (
    Table(
        "learned_protocols",
        "How well does the learned metric do on outputs it has not seen?",
        "model preset protocol best_metric",
    ),
    Table("learned_folds", "Which outputs were held out together?", "protocol"),
    Table("learned_overlap", "How much of the test rows had been met in training?", "protocol"),
    Table("learned_lookup", "What does looking texts up in training score?", "protocol"),
    Table("learned_predictions", "What was predicted?", "protocol"),
    Table("learned_classes", "How often are predictions right as points of the scale?", "protocol cut"),
    Table("learned_reliability", "How often does what is held probable come true?", "protocol"),
    Table("learned_external", "Does it agree with ratings better than scores that others computed?", "protocol score"),
    Table("learned_importances", "What do the predictions rest on?", "feature"),
    Table("learned_elimination", "Which features are kept longest?", "feature"),
    Table("learned_audit", "Does the score fall when a fault is put in?", "kind"),
)
