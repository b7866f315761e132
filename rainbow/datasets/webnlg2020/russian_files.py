"""Public files and systems of the WebNLG Challenge 2020, Russian texts from triples."""

from __future__ import annotations

from rainbow.base.downloads import DATA, RemoteFile
from rainbow.datasets.webnlg2020.source_files import output_files, rating_files

NAME = "webnlg2020_ru"

# The hashes of the files of outputs, by system.
_OUTPUTS = {
    "Baseline-FORGE2020": "70fe62e01510d9ec8fbd46e3f8e09a8ca3e8abab4c4c6f6a1691186dfdb67489",
    "FBConvAI": "320c7fe1949ffd6ec5a8ffc7a15c8b43d73adac001fe0ead4fbd4302bd975288",
    "Huawei_Noahs_Ark_Lab": "6104e5fb3b27aeb04d9efba6b668f2b065ea8488d6abcc70f1ceec93cd904f9c",
    "OSU_Neural_NLG": "0e849d2f98f956da53a4dd22de86abf50c49d0bf76aedde6378a3db31b55b379",
    "bt5": "65a87b0833e56b5c620e0e020ae9cb83069c4b87336eb3a727cb28051be78152",
    "cuni-ufal": "2f72c84c736c984aaab96b82c382eb662a1c665b209746fba0bab50024b5769d",
    "med": "86e21fd69c255d33635c31bbac80f1bbcf83a0af47bb4bc67c5c4c2158d01856",
}

# The hashes of the rating files; one holds human references, as in English.
_RATINGS = {
    "Baseline-FORGE2020": "8be34f458f4869266003ddf0034e7ebe184a3a05f945ead49e6dd24c5363661b",
    "FBConvAI": "868e8cad06d9e1a841874612304e511d8d772501ed070797402521d69b59106f",
    "Huawei_Noahs_Ark_Lab": "ae34eb0014e8845e51916ced41f1374371b2ed1b2728b30d14f35c60a9c541bf",
    "OSU_Neural_NLG": "935e8bc99016450dbce9cb706f4c4d927485e9ed5e52329fe24488d8809f9406",
    "WebNLG-2020-reference": "e23e7808b2633b39cf83c65a96b74e3245ccc2f80f67ca19554075c7099d9df0",
    "bt5": "ec1095d3786ddc53028fb1b3517b77aab699d326538efe5df8f6a2f96fd33d83",
    "cuni-ufal": "8a9a0a920ac53557114ac8004b27b5a3c4388fc09686860b7eaaab2f5dd3695c",
    "med": "d00b34d414879b252b0e771cf3aebd96099138d71ab9ed325278e25351e81d89",
}

# Inputs, references and categories. The challenge repository has English references in place of the Russian ones, so
# the test set comes from a participant of the WebNLG Challenge 2023, which had the same Russian test set.
TEST_SET = RemoteFile(
    DATA,
    f"{NAME}/ru_test.xml",
    "https://raw.githubusercontent.com/Ivan30003/webnlg_interno/2d4ba0506638394d99e0515f64dadd20fc4ea795"
    "/data/original_datasets/ru_test.xml",
    "9c0d29e7cab3c4d6457fb39d0ff055781a6f5f95dd7043ac399fa5fa0ad8820d",
    NAME,
)

OUTPUTS = output_files(NAME, "ru", _OUTPUTS)
RATINGS = rating_files(NAME, "ru", _RATINGS)

FILES = (TEST_SET, *OUTPUTS.values(), *RATINGS.values())
