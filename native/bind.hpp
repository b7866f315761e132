// What each kernel adds to the module, in the file of its name.
#pragma once

#include <pybind11/pybind11.h>

namespace rainbow {

void bind_absent_words(pybind11::module_& module);
void bind_bleu(pybind11::module_& module);
void bind_chrf(pybind11::module_& module);
void bind_cider(pybind11::module_& module);
void bind_delexicalisation(pybind11::module_& module);
void bind_facts(pybind11::module_& module);
void bind_forest(pybind11::module_& module);
void bind_gaussian(pybind11::module_& module);
void bind_language_model(pybind11::module_& module);
void bind_lepor(pybind11::module_& module);
void bind_longest_subsequence(pybind11::module_& module);
void bind_meteor(pybind11::module_& module);
void bind_meteor_paraphrases(pybind11::module_& module);
void bind_ngram_vectors(pybind11::module_& module);
void bind_nist(pybind11::module_& module);
void bind_probability_summaries(pybind11::module_& module);
void bind_realisation(pybind11::module_& module);
void bind_repetition(pybind11::module_& module);
void bind_rouge_n(pybind11::module_& module);
void bind_sim(pybind11::module_& module);
void bind_surface(pybind11::module_& module);
void bind_ter(pybind11::module_& module);
void bind_text_kernel(pybind11::module_& module);
void bind_worded_slots(pybind11::module_& module);

}  // namespace rainbow
