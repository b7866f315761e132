"""Public files and systems of the WebNLG Challenge 2020, English texts from triples."""

from __future__ import annotations

from collections.abc import Mapping

from rainbow.base.downloads import DATA, RemoteFile

NAME = "webnlg2020"
REPOSITORY = "https://raw.githubusercontent.com/WebNLG/challenge-2020/328b4c252abd9ca36471f390f9fcbd2650798088"
EVALUATION = f"{REPOSITORY}/evaluation/human-evaluation"

# The hashes of the files of outputs, by system.
_OUTPUTS = {
    "Amazon_AI_(Shanghai)": "17a79bd190d4c73bb9b51c83cbd7065e1033237ac41c69c2143b8b377053547a",
    "Baseline-FORGE2017": "3804bb015411b34bab63a5d1e9fdba7b76bf190b1fb4e792d2d1f4aba0128dde",
    "Baseline-FORGE2020": "53e48be61aa749708ea61d4938674f7e1cbf8c0c459416bd41618687fca62d2b",
    "CycleGT": "a93b122a28fd820b2cc1d1a38084d804d469639aa929b5b41bd49bde76eba9ee",
    "DANGNT-SGU": "f01d715b35389142c453871a86008d389cd631bdb57fd54f2aa270f61a0f7cec",
    "FBConvAI": "71b9f02743e7f918f2e9b9ad6569e5048105a73e98e60a46788eb3d4277af200",
    "Huawei_Noahs_Ark_Lab": "3936ee0d97b7889b54f82d4aaedd42cee04959519b39f7b0bf3cf505abcb6053",
    "NILC": "514dc3afc74dd20220cc27f2165d473a2b2a6c86212098cc39d629cacd909609",
    "NUIG-DSI": "ddfe8e953e857bf93ac083e3f89198529dab4460b47d46dda5298882a97620f2",
    "ORANGE-NLG": "6a45e004b735589b364da42ee8198520b69a0f14d0c9c5fca3e1f2133b6e5dcc",
    "OSU_Neural_NLG": "9b918a3b09483e438209d1b941ccb9094f3867660b832a0da000edd6de90f944",
    "RALI": "5d0809f4e6803cc07fed91b33da69fc4c8a0a7b025d7568c678f4a251b53d6d3",
    "TGen": "564467d73f806c05e9b39b3e4e4774c3bf15d4a0963e2086dcd8ff9034bc08f1",
    "UPC-POE": "a1bae4408844772e77582bbcfe20349a5550029feed838d5436bf492ae6e8e32",
    "bt5": "760d72eb84ef25bc38162c74497b5938fc920783a3318692e2e4f755dafce254",
    "cuni-ufal": "5471d385a8047ef5ab72930aaa6b2b4682431e37cdebf47809f99574e708f60e",
}

# The hashes of the rating files. The last but two holds human references rated together with the outputs; which
# reference was rated is not published.
_RATINGS = {
    "Amazon_AI_(Shanghai)": "e2c0699640a98f59c9ff197365c87632e58dae841f99a6b83a15817cbc642ab4",
    "Baseline-FORGE2017": "d0e2be42e1bfde6f72348e5153e307c69a8aa79a057836ef6b1605c987e2e608",
    "Baseline-FORGE2020": "cf2edacfa5e15dea4ed84eca00f052496ac85468223b494b08bd3540e8f9f306",
    "CycleGT": "602cb9fa7003c7113eb3715237af6abfb9a7b59a3509803e7ab232088573d3fd",
    "DANGNT-SGU": "ccf387a7ae33258c528c7a5de05bc790310ff9f1c5750ea090e82a60e5500ef6",
    "FBConvAI": "458ae374155e928017e836ac1ae80828e671044407775df060010ce375ca0e02",
    "Huawei_Noahs_Ark_Lab": "72d9b2bfb646575cc7afcab0772601442f4adb5041a99926429ed8b8befee954",
    "NILC": "092d03a4bd1b5ef9e9666ff81081fa067e52320121d4e9ad48feafea0a1e2f29",
    "NUIG-DSI": "7164ab6c229d11ac508be0fe42eecb9f69077d0e80b30f74fdd87e75ba06c319",
    "ORANGE-NLG": "35dcf0c64be780d471a0b33ff2e90b38e4187eeb1873840f1f9224f6855b8428",
    "OSU_Neural_NLG": "50d7019702342e6699f83fbbedff94ddbf0555d9624fad125b6af0920dd0d755",
    "RALI": "77226884c33edc6f2e6cdd6ac8f586b96c1b1bf7bef5570b2dc93abbff691d8f",
    "TGen": "d3590098a0345bb9bf8a05b8bfff66f9f7b78958c673bbdb581930c1765382fc",
    "UPC-POE": "303b840bf7d83f34a33fe8039f637cf11b90b6fc0f7aed2b80eec92fd9f0fee0",
    "WebNLG-2020-reference": "ba25ae3a890c038787eade05660283bafeaeeac3c27069ab0bcea2e6d94a866c",
    "bt5": "b6c20db83a950b3e01362ae6f27a7e8313d2433782ff748b9eca644db620e957",
    "cuni-ufal": "061283e1ba5d44c7e59a328e7611abe9c171ecd44dee01ba1f9cd10f82248e24",
}

# Inputs as the raters saw them.
TRIPLES = RemoteFile(
    DATA,
    f"{NAME}/tables_xml.json",
    f"{EVALUATION}/amt-scripts/data/en/tables/tables_xml.json",
    "2bcc569081f350c77f0fe52566245833ab2a69511b16ca6a6ececb6d76a25627",
    NAME,
)

# Category of each input; only part of this file and of the ratings is needed.
CATEGORIES = RemoteFile(
    DATA,
    f"{NAME}/english_humeval_data_all_teams.json",
    f"{EVALUATION}/results/en/english_humeval_data_all_teams.json",
    "b60b2bb458b2bb3ece9c1a261add64f37bbf3f1279388f78be4090c77c59a424",
    NAME,
    part_serves=True,
)


def output_files(name: str, language: str, hashes: Mapping[str, str]) -> dict[str, RemoteFile]:
    """Return the file of each system's outputs in a language."""
    folder, file = f"{REPOSITORY}/submissions/rdf2text/{language}", f"primary.{language}"
    return {
        system: RemoteFile(DATA, f"{name}/submissions/{system}/{file}", f"{folder}/{system}/{file}", sha256, name)
        for system, sha256 in hashes.items()
    }


def rating_files(
    name: str, language: str, hashes: Mapping[str, str], part_serves: bool = False
) -> dict[str, RemoteFile]:
    """Return the file of each system's ratings by each rater."""
    folder = f"{EVALUATION}/results/{language}"
    return {
        system: RemoteFile(
            DATA,
            f"{name}/results/{system}/primary.json",
            f"{folder}/{system}/primary.json",
            sha256,
            name,
            part_serves=part_serves,
        )
        for system, sha256 in hashes.items()
    }


OUTPUTS = output_files(NAME, "en", _OUTPUTS)
RATINGS = rating_files(NAME, "en", _RATINGS, part_serves=True)

FILES = (TRIPLES, CATEGORIES, *OUTPUTS.values(), *RATINGS.values())
