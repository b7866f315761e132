"""Tables of a learned metric's evaluation, and the question each answers."""

from rainbow.scoring.result_tables import Table

RECOMMENDED = Table("learned_recommended", "Which score should be used?", "score columns advice command")
CURVE = Table("learned_curve", "How many ratings does learning take?", "score")

TABLES = (
    RECOMMENDED,
    CURVE,
    Table(
        "learned_protocols",
        "How accurate is the learned metric on unseen outputs?",
        "model preset protocol best_metric",
    ),
    Table("learned_folds", "Which outputs were held out together?", "protocol"),
    Table("learned_overlap", "How much of the test data also occurs in training?", "protocol"),
    Table("learned_lookup", "How well does a lookup of the text in training do?", "protocol"),
    Table("learned_predictions", "What was predicted?", "protocol"),
    Table("learned_classes", "How often is the predicted point of the scale right?", "protocol cut"),
    Table("learned_reliability", "How often are predicted points right at each probability?", "protocol"),
    Table("learned_external", "Does it agree with ratings better than external scores?", "protocol score"),
    Table("learned_importances", "Which features do predictions depend on?", "feature"),
    Table("learned_elimination", "Which features does recursive elimination keep longest?", "feature"),
    Table("learned_audit", "Does the score drop when an error is inserted?", "kind"),
)
