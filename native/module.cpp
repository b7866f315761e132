// The module rainbow._native: texts, tokenizers, and what every kernel adds.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdlib>
#include <string_view>

#include "bind.hpp"
#include "strings.hpp"
#include "texts.hpp"
#include "tokenizer.hpp"

namespace py = pybind11;
using namespace rainbow;

namespace {

py::list words_of(const Texts& texts, std::size_t text) {
  py::list words;
  for (const Id id : texts[text]) words.append(text_of(texts.vocabulary()->word(id)));
  return words;
}

// The same, each word made a string once: `made` holds those of the vocabulary that are.
py::list interned_words(const Texts& texts, std::size_t text, std::vector<py::object>& made) {
  py::list words;
  for (const Id id : texts[text]) {
    if (!made[id]) {
      PyObject* word = text_of(texts.vocabulary()->word(id)).release().ptr();
      PyUnicode_InternInPlace(&word);
      made[id] = py::reinterpret_steal<py::object>(word);
    }
    words.append(made[id]);
  }
  return words;
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = "Compiled kernels; rainbow.base.native hands them out.";

  // Asked before every kernel: os.environ takes ten times as long, and sets what is read here.
  module.def(
      "wanted",
      [] {
        const char* const asked = std::getenv("RAINBOW_NATIVE");
        return asked == nullptr || std::string_view(asked) != "0";
      },
      "Whether the environment does not switch the kernels off.");

  py::class_<Vocabulary, std::shared_ptr<Vocabulary>>(module, "Vocabulary", "Words and their numbers.")
      .def(py::init([](const std::shared_ptr<Vocabulary>& base) { return std::make_shared<Vocabulary>(base); }),
           py::arg("base") = nullptr)
      .def("__len__", &Vocabulary::size);

  py::class_<Texts, std::shared_ptr<Texts>>(module, "Texts", "Texts as numbers of words.")
      .def("__len__", &Texts::size)
      .def_property_readonly("vocabulary", &Texts::vocabulary)
      .def(
          "length",
          [](const Texts& texts, std::size_t text) {
            if (text >= texts.size()) throw py::index_error("there is no such text");
            return texts[text].size();
          },
          py::arg("text"), "The number of words of one text.")
      .def(
          "lengths",
          [](const Texts& texts) {
            py::array_t<std::int32_t> lengths(texts.size());
            for (std::size_t text = 0; text < texts.size(); ++text) {
              lengths.mutable_at(text) = static_cast<std::int32_t>(texts[text].size());
            }
            return lengths;
          },
          "The number of words of every text.")
      .def(
          "words",
          [](const Texts& texts, std::size_t text) {
            if (text >= texts.size()) throw py::index_error("there is no such text");
            return words_of(texts, text);
          },
          py::arg("text"), "The words of one text.");

  py::class_<Sets, std::shared_ptr<Sets>>(module, "Sets", "Sets of references.")
      .def(py::init([](const std::shared_ptr<Texts>& texts, const std::vector<std::size_t>& sizes) {
             return std::make_shared<Sets>(texts, sizes);
           }),
           py::arg("texts"), py::arg("sizes"))
      .def("__len__", &Sets::size)
      .def(
          "words",
          [](const Sets& sets) {
            std::vector<py::object> words(sets.texts().vocabulary()->size());
            py::list all;
            for (std::size_t set = 0; set < sets.size(); ++set) {
              py::list texts;
              for (std::size_t text = sets.first(set); text < sets.last(set); ++text) {
                texts.append(interned_words(sets.texts(), text, words));
              }
              all.append(texts);
            }
            return all;
          },
          "The words of the texts of every set, interned.")
      .def_property_readonly("vocabulary", [](const Sets& sets) { return sets.texts().vocabulary(); });

  py::class_<Tokenizer>(module, "Tokenizer", "A tokenizer that remembers what it was told of each segment.")
      .def(py::init<py::function, std::string>(), py::arg("tokens"), py::arg("boundary"))
      .def("encode", &Tokenizer::encode, py::arg("texts"), py::arg("vocabulary"));

  bind_absent_words(module);
  bind_bleu(module);
  bind_chrf(module);
  bind_cider(module);
  bind_delexicalisation(module);
  bind_facts(module);
  bind_forest(module);
  bind_gaussian(module);
  bind_language_model(module);
  bind_lepor(module);
  bind_longest_subsequence(module);
  bind_meteor(module);
  bind_meteor_paraphrases(module);
  bind_ngram_vectors(module);
  bind_nist(module);
  bind_probability_summaries(module);
  bind_realisation(module);
  bind_repetition(module);
  bind_rouge_n(module);
  bind_sim(module);
  bind_surface(module);
  bind_ter(module);
  bind_text_kernel(module);
  bind_worded_slots(module);
}
