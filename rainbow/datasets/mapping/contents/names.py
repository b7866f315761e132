"""What the name of a column says that it holds: words of the field, by role."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rainbow.datasets.shapes.wide import bare_name

__all__ = ["BY", "LOWER_IS_BETTER", "Role", "any_of", "is_of_raters", "is_rank", "one_of", "people_write_too"]
__all__ += ["people_wrote", "role_by_name", "role_of_texts", "without_accents", "words_of"]

Role = str


def one_of(words: str) -> frozenset[str]:
    """Return words, parted by spaces, as a set.

    Examples
    --------
    >>> sorted(one_of("mean avg"))
    ['avg', 'mean']
    """
    return frozenset(words.split())


# In English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Chinese, without accents; what ends with a
# dash may go on. The order is that in which roles are tried for a name that several fit.
_WORDS: dict[Role, frozenset[str]] = {
    "score": one_of(
        "bleu sacrebleu bleu1 bleu2 bleu3 bleu4 rouge rouge1 rouge2 rouge3 rouge4 rougel rougelsum meteor chrf chrfpp "
        "ter hter wer cer nist cider ciderd spice lepor hlepor bertscore bert comet cometkiwi xcomet kiwi bleurt "
        "bartscore moverscore prism yisi unieval gptscore parent questeval summac factcc perplexity ppl loss nll "
        "logprob logprobs likelihood entropy f1 em exact_match acc accuracy precision recall similarity cosine sbert "
        "wmd metricx mauve geval gpt gpt3 gpt4 gpt4o gpt5 llm claude gemini llama mistral qwen autorater metric "
        "distance probability confidence reward levenshtein edit sari fkgl flesch kincaid fog smog fre chall selfbleu "
        "distinct dist1 dist2 gleu ribes blanc supert alignscore factscore clipscore codebleu smatch gruen simcse "
        "labse infolm baryscore feqa qags qafacteval ragas bpb bpc prometheus usr sentbleu grading lens sle "
        "suggestion suggestions qps modelgraded"
    ),
    "reference": one_of(
        "ref refs referen- gold golds golden target targets tgt groundtruth ground_truth truth expected label labels "
        "correct correcta correta corretta correcte richtige ideal highlights gt gts muster mustert- musterl- "
        "riferiment- postedit- revisada esperad- attendu- attes- erwartet- wzorc- oczekiwan- 参考-"
    ),
    "output": one_of(
        "output outputs mt prediction predictions predicted pred preds hypothesis hypotheses hyp hyps generated "
        "generation generations completion completions response responses candidate candidates decoded filtered_resps "
        "resps produced answer answers rewrite rewrites rewritten simplified verbalisation verbalization ausgabe- "
        "systemausgabe- hypothes- sortie sorties salida saida uscita uitvoer antwort- respuest- rispost- repons- "
        "reply replies respost- antwoord- odpowied- generiert- generad- gerad- wygenerowan- automatisch- automatic- "
        "automatiqu- maschinell- generat- 译文- 输出-"
    ),
    "rater": one_of(
        "ann rater raters annot annotator- auditor auditors labeler labeller relecteur relectrice correcteur "
        "correctrice bedomare bedommer vurderer bearbeitet annotateur- annotatore- annotatric- anotador- worker "
        "workers evaluator- evaluador- evaluateur- avaliador- valutator- valutatric- bewerter- gutachter- coder "
        "assessor judge juge juez user subject initials kuerzel kurzel hodnotil puanlayan reviewer- revisor- oceniaj- "
        "panelist- particip- teilnehm- teilnahm- deelnemer- proefperso- versuchsperso- uczestni- pid proband- "
        "respondent- beoordelaar- 评分人- 评分员- 评审- 评委- 标注- 作業者 評価者 평가자"
    ),
    "system": one_of(
        "system systems sys model models method methods generator engine team submission approach variant bot chatbot "
        "summarizer summariser policy checkpoint ckpt modell modele modelo modello sistem- systeme systeem verfahren "
        "moteur motore tool outil narzedzi- werkzeug verktyg 系统- 模型-"
    ),
    "rating": one_of(
        "qualit- kwaliteit- jakosc- informativ- fluen- fluid- flussig- vloeiend- plynnosc- natural naturaln- "
        "naturalez- naturlich- grammar grammati- adequa- adaqua- adecua- adegua- coheren- cohesion koharen- coeren- "
        "spojnosc- relevan- pertinen- consistency factuality faithful- correctness korrekt- poprawnosc- overall "
        "rating ratings mos mqm likert mark marks human humans preference satisfaction clarity clarte "
        "readability_human engaging- helpful- interesting- meaning_preservation simplicity coverage acceptability "
        "verstandlich- understandab- usefulness appropriate- specificity sensible- truthful- concise- completeness "
        "safety fidel- wiernosc- grade grades cijfer betyg znamk- da bewertung- beoordel- evaluation evaluac- "
        "avaliac- valutazion- puntuac- punteggi- ocen- 质量- 流畅- 评分-"
    ),
    "input": one_of(
        "input inputs dotaz- mr mrs meaning source src prompt prompts context contexts kontext- contexto contesto "
        "contexte question query frage fragen pregunt- pergunt- domand- pytan- document documents article articles "
        "artikel articul- artig- doc dialog dialogue dialogs history triples triple tripleset triplets data table "
        "facts original originale originals- originalt- orig ausgangs- instruction instructions passage premise post "
        "arguments conversation turns messages chat record records attributes knowledge evidence fact transcript "
        "mtriples complex ingredients eingab- daten quell- entree donnees datos dati entrada fuente ingresso fonte "
        "invoer bron zrodl- 原文- 输入- 题目- 问题-"
    ),
    "item": one_of(
        "item items id ids idx index key no nr number numero nummer num segment seg segid sid docid qid uid uuid "
        "example instance sample hit hitid row hash 编号-"
    ),
    "meta": one_of(
        "time times timestamp date datetime seconds sec secs duration elapsed worktimeinseconds step steps epoch "
        "_step runtime created updated submitted accepted age gender url link path file filename status reward_usd "
        "title keywords fold split seed version batch order position comment comments note notes remark remarks "
        "feedback explanation rationale reason email name country native language lang approval lifetime max "
        "assignment assignments assignmentid category severity domain hash length len tokens chars words count is "
        "size n std sd stdev stddev sem variance var ci lower upper missing added omission omissions omitted "
        "hallucination hallucinations hallucinated shard padded truncated repeated repetition repetitions error "
        "errors mistakes wrong year month day session region city ip trust channel trial rt ms started ended start "
        "end latency cost price usd eur minutes hours temperature logits assertion zeitstempel datum fecha alter "
        "geschlecht edad leeftijd bemerk- anmerk- komment- commentair- remarqu- coment- commento observac- osservaz- "
        "opmerk- uwag- 备注- eta idade wiek genere sexe sesso sexo plec geslacht 時間 秒 zip postcode plz "
        "jahr annee anno 年龄 性别"
    ),
}
_KNOWN = frozenset[str]().union(*_WORDS.values())
_BEGINNINGS = {role: tuple(word[:-1] for word in words if word[-1] == "-") for role, words in _WORDS.items()}
# What people write too: beside outputs that are named so, these are references.
_PEOPLE_WRITE_TOO = one_of("answer summary translation caption title headline paraphrase expert")
_PEOPLE = ("human", "humain", "uman", "menschlich", "ludzk", "lidsk", "menselijk", "人工")
_SHORT = {"in": "input", "out": "output", "mt": "output"}
_RANKS = one_of(
    "rank ranks ranking rang place placement rangplatz rangfolge posizione posicion miejsce 排名 排序 順位 순위"
)
# How many there were, not what one of them gave.
_COUNTS = one_of("annotators raters judges workers evaluators judgements judgments votes")
# Columns of scores of which less is better.
LOWER_IS_BETTER = one_of(
    "ter hter wer cer ppl perplexity loss nll distance edit levenshtein errors fkgl kincaid fog smog chall "
    "self selfbleu bpb bpc metricx toxicity ari"
)

# How questions begin that raters were asked, where the question mark is lost.
_ASKED = one_of("how does do did would could can should rate wie como come comment quanto jak czy hoe")
_VERBS = one_of("is are was were"), one_of("it this that the there they these")
# What raters are asked of themselves: how old they are, what their first language is.
_YOU = one_of("you your voce tu usted ihr vous")
_PERSONAL = one_of("old age gender sex language native education job profession country sure confident certain certeza")
_TITLES = one_of("dr dra prof mr mrs ms mme sr sra herr frau")
_OF_TEXTS = one_of("does is it the text")
_BY_MACHINES, _REMARKS = one_of("ai ki ia"), one_of("feedback comment comments explanation text")
_META = ("metadata.", "meta.")
BY = one_of("by af av von par por door przez")
_MADE = one_of("generated predicted written made produced created")

_COUNTED = one_of("tokens token")  # in the grading of an output
# What stands behind these is not what a column holds: "Frage an den Bot", "texto del modelo".
_OF = one_of("of from for an des der den dem von vom fur de du del della dello di do da dos das van het")
_HEADS = ("input", "output", "reference", "rating")

_LEGEND = re.compile(r"\s*\([^()]*=[^()]*\)\s*")  # "(1 = no, 7 = yes)"
_VARIABLE = re.compile(r"\{\{.*?\}\}")  # of a prompt
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "°": "o"})
_PARTS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^\W\d_]+")


def words_of(name: str) -> list[str]:
    """Return the words of a column's name, in lower case; what a crowdsourcing platform writes before it is left out.

    Two that are the name of a metric together are one.

    Examples
    --------
    >>> words_of("Input.modelOutput"), words_of("ref_a"), words_of("bertscore_f1"), words_of("WorkerId")
    (['model', 'output'], ['ref', 'a'], ['bertscore', 'f1'], ['worker', 'id'])
    >>> words_of("G-Eval coherence")
    ['geval', 'coherence']
    """
    words: list[str] = []
    for part in _PARTS.findall(without_accents(bare_name(name))):
        both = words[-1] + part.lower() if words else ""
        words[-1:] = [both] if both in _WORDS["score"] else [*words[-1:], part.lower()]
    return words


def without_accents(name: str) -> str:
    """Return a name in plain letters.

    Examples
    --------
    >>> without_accents("Flüssigkeit")
    'Flussigkeit'
    """
    letters = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare)  # Korean syllables are one letter again


def role_by_name(name: str) -> Role | None:
    """Return what a column of this name holds; None where the name does not say.

    Examples
    --------
    >>> [role_by_name(name) for name in ("model_output", "gold_1", "gpt4_judge", "WorkerId", "tgen")]
    ['output', 'reference', 'score', 'rater', None]
    >>> [role_by_name(name) for name in ("human_reference", "quality", "source_id", "WorkTimeInSeconds", "judge")]
    ['reference', 'rating', 'item', 'meta', 'rater']
    >>> [role_by_name(name) for name in ("How good is this text?", "Generated by", "completed_by", "model_name")]
    ['rating', 'system', 'rater', 'system']
    >>> [role_by_name(name) for name in ("Ausgabe", "Référence", "annotator", "annotators", "G-Eval coherence")]
    ['output', 'reference', 'rater', 'meta', 'score']
    >>> role_by_name("is_it_answerable_from_the_text"), role_by_name("Frage an den Bot"), role_by_name("AI feedback")
    ('rating', 'input', 'output')
    >>> role_by_name("Dr. Kim"), role_by_name("mr_id")
    ('rater', 'item')
    """
    name = _LEGEND.sub("", name) or name
    words = words_of(name)
    whole = re.sub(r"\W+", "_", without_accents(name)).strip("_").lower()
    words = _head(words)
    found = {role: [place for place, word in enumerate(words) if _is_one(word, role)] for role in _WORDS}
    if whole in _COUNTS or (len(words) > 1 and (words[0] in ("n", "num", "count") or words[-1] == "s")):
        return "meta"
    for role in _WORDS:
        if whole in _WORDS[role]:
            return role
    if found["score"]:
        return "meta" if any_of(words, _COUNTED) else "score"
    if is_of_raters(name):
        return "meta"
    if "?" in name or _is_question(words):
        return "rating"
    if len(words) == 2 and words[0] in _TITLES and words[1] not in _KNOWN and " " in name.strip():
        return "rater"
    if len(words) > 1 and words[0] in _BY_MACHINES and words[-1] in _REMARKS:
        return "output"
    if words[-2:-1] and words[-2] in BY and words[-1] == "id":
        words = words[:-1]  # of who completed it
    if words[-1:] and words[-1] in BY:
        return "system" if any_of(words, _MADE) or len(words) < 2 else "rater"
    if len(words) > 1 and words[-1] in ("name", "names", "label"):
        return role_by_name("_".join(words[:-1])) or "meta"
    if words[-1:] in (["hash"], ["choices"]):  # those of a benchmark's question; else of what was asked of raters
        return "reference" if words in (["choices"], ["doc", "choices"]) else "meta"
    if words and (words[-1] in ("id", "ids", "idx", "index") or words[0] == "id"):
        return next((role for role in ("rater", "meta", "system") if found[role]), "item")
    if found["reference"]:
        # Of "sys_ref" and "orig_ref", as Novikova et al. (2017) call them, the first is what a system wrote.
        return "output" if words[0] in ("sys", "system") and words[-1] != words[0] else "reference"
    last = {role: max(places) for role, places in found.items() if places}
    best = max(last, key=lambda role: (last[role], -list(_WORDS).index(role)), default=None)
    if name.startswith("doc.") and best in ("output", "rater"):
        return "reference" if best == "output" else None  # the answers of a benchmark's document
    if best is None and name.startswith(_META):
        return "meta"
    return "output" if best == "input" and any_of(words, _MADE) else best  # a question that was generated


def _head(words: list[str]) -> list[str]:
    """Return the words before one as "of", where these say what a column holds."""
    if "per" in words[1:]:  # price_per_example
        return words[: words.index("per", 1)]
    place = next((place for place, word in enumerate(words) if word in _OF), 0)
    return words[:place] if any(_is_one(word, role) for word in words[:place] for role in _HEADS) else words


def _is_question(words: list[str]) -> bool:
    """Return whether this is what raters were asked, as ``how_natural_is_the_text``."""
    verb, subject = _VERBS
    return len(words) > 2 and (words[0] in _ASKED or (words[0] in verb and words[1] in subject))


def role_of_texts(name: str) -> Role | None:
    """Return what a column of texts holds, whose name may be that of the model that wrote them.

    Examples
    --------
    >>> [role_of_texts(name) for name in ("sys_ref", "out", "sys:ChatGPT")]
    ['output', 'output', 'system']
    >>> [role_of_texts(name) for name in ("gpt4", "output_llama", "gpt4_explanation", "[gpt-4o] Describe {{name}}")]
    [None, 'output', 'meta', None]
    >>> role_of_texts("Letter (AI)"), role_by_name("Which AI")
    ('output', None)
    """
    role = role_by_name(name)
    if name.lower() in _SHORT:
        return _SHORT[name.lower()]
    if len(words_of(name)) > 1 and words_of(name)[-1] in _BY_MACHINES:
        return "output"
    words = [word for word in words_of(_VARIABLE.sub("", name.replace("Chat", ""))) if not _is_one(word, "score")]
    return role if role != "score" else role_by_name("_".join(words))


def _is_one(word: str, role: Role) -> bool:
    """Return whether a word says this role, with a number behind it too: ``ref1``, but not ``rouge9``."""
    bare = word if role == "score" else word.rstrip("0123456789")
    return word in _WORDS[role] or bare in _WORDS[role] or (bare not in _KNOWN and bare.startswith(_BEGINNINGS[role]))


def people_write_too(name: str) -> bool:
    """Return whether a column may hold what people wrote: texts of a kind that systems write, or those of humans.

    Examples
    --------
    >>> [people_write_too(name) for name in ("summary", "traduzione umana", "hypothesis")]
    [True, True, False]
    """
    return any_of(words_of(name), _PEOPLE_WRITE_TOO) or people_wrote(name)


def people_wrote(name: str) -> bool:
    """Return whether a name says that people wrote this.

    Examples
    --------
    >>> people_wrote("human_2"), people_wrote("summary")
    (True, False)
    """
    return any(word.startswith(_PEOPLE) for word in words_of(name))


def is_rank(name: str) -> bool:
    """Return whether a column holds ranks, of which the least is the best.

    Examples
    --------
    >>> is_rank("rank_tgen"), is_rank("rank1"), is_rank("quality")
    (True, True, False)
    """
    return any_of([word.rstrip("0123456789") for word in words_of(name)], _RANKS)


def is_of_raters(name: str) -> bool:
    """Return whether a question is about who answers it: how old they are, how sure.

    Examples
    --------
    >>> is_of_raters("How sure are you? (1-7)"), is_of_raters("How sure does it sound?")
    (True, False)
    """
    words = words_of(name)
    return any_of(words, _PERSONAL) and (any_of(words, _YOU) or (words[:1] == ["how"] and not any_of(words, _OF_TEXTS)))


def any_of(words: Iterable[str], known: frozenset[str]) -> bool:
    """Return whether one of the words is known."""
    return not known.isdisjoint(words)
