"""The ways to hold rows out, what each leaves out, and what its number means."""

__all__ = ["PROTOCOLS"]

PROTOCOLS = {
    "paper": "Leaves nothing out: it fits on 70 % of the rows and correlates over all rows, the training rows "
    "among them, so it leaks, and its number says mostly how well the model remembers ratings it was given.",
    "split": "Leaves out 30 % of the rows, drawn one by one; its number holds for more outputs of the same systems "
    "for the same inputs, since inputs and texts of test rows also stand in training.",
    "kfold": "Leaves out each part of the rows in turn, drawn one by one; its number means what that of a split "
    "means, with every row tested once.",
    "by-item": "Leaves out inputs with all outputs for them; its number holds for new inputs of the same kind, but "
    "an output text may stand in training as the output for another input.",
    "by-text": "Leaves out output texts wherever they occur; its number holds for new texts, but other outputs for "
    "the same inputs stand in training.",
    "by-item-and-text": "Leaves out inputs together with all inputs that share an output text with them; its "
    "number holds for new texts for new inputs of the same kind, from the same systems.",
    "by-template": "Leaves out all inputs that ask for the same slots, whatever their values, and what shares a "
    "text with them; its number holds for kinds of input that no rating was given for.",
    "leave-one-system-out": "Leaves out one system at a time; its number holds for a system none of whose outputs "
    "was rated, on inputs (and here and there texts) that were rated in outputs of other systems.",
    "leave-one-dataset-out": "Leaves out one data set at a time; its number holds for another domain and other "
    "raters, for which nothing was rated.",
}
