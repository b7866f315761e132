"""Public files and systems of the E2E NLG Challenge."""

from __future__ import annotations

from rainbow.base.downloads import DATA, RemoteFile

NAME = "e2e"
_DATASET = "https://raw.githubusercontent.com/tuetschek/e2e-dataset/ab0d967dd5729ce455ef14ba9ffafc456a335264"
_EVALUATION = "https://raw.githubusercontent.com/tuetschek/e2e-eval/412dcfd59a6152161228077b351ec8eeed2b439e"

# The 21 primary systems in the order of the published table of word-overlap metrics: their names in the files, in the
# tables, and the hash of the output file.
_SYSTEMS = (
    ("tgen", "TGen", "eefca577ca4f5c9027119113adadba800d185289485bd9d775f72513898756a3"),
    ("slug", "Slug", "fcb20e6993e4cfb34c7eb63dfbd5d75c41fb228f0deffb9cdc274f456ac0d8e5"),
    ("tnt1", "TNT1", "3c2441bd387c897b1552c7f60eea5140e87517b8f8f4e690e18a96b4b45f5d0a"),
    ("nle", "NLE", "9644a5b9d958eb31eefe71192682b1ae92b243d6ab1f07747533a017365521f3"),
    ("tnt2", "TNT2", "800cf6b479368c253297768db6664e5a1e88a3bf6c682e3b2e4a51d98b5c2f1c"),
    ("harv", "Harv", "9389a8ded00309632b692d07e7df2ffecf322e8144764edc7716082ae949bd38"),
    ("zhang", "Zhang", "2acf7f82d1c64342c80473135a5895aa5563b2a8b02d23f7364ea4d4839020ce"),
    ("gong", "Gong", "5d0984df32a7e0fc82d0e2257e71ddd3350ca3ee2e50fca95d844d5d53def816"),
    ("tr1", "TR1", "9b0305db42df874f20fdbc9f788cf91ac6fd696d83f5e7a3680cbd73e08213e6"),
    ("sheff1", "Sheff1", "b917fae5cb5a2fe5a5843798f20f21aeecde161893bd27ffebace538f9244f40"),
    ("dangnt", "DANGNT", "8240ea8dddebd288db04bd00cd44b32ed1df539b832ebe2402b62a4ea381dfea"),
    ("slug-alt", "Slug-alt", "cdab75e25f80f32cdc35e769409be92b4286f370d1accf6de4f408057fdfd2d6"),
    ("zhaw2", "ZHAW2", "c4ecf46e907538d791ad39e2ebf538f444c60de0aa3eb5da9a356a5fb9db8776"),
    ("tuda", "TUDA", "9b7c2da68d7e7e9f2d19ff5620c77549f44992995f7c03cb2c6fb4d22d2ac8f0"),
    ("zhaw1", "ZHAW1", "30fd53ca6e0d25c7c8d033622bc2f5aad4893a32bf13e9b210174c9826c94733"),
    ("adapt", "Adapt", "9df6f3821c9b86b85ea99e9cd2baea830586c831c1b019152696405daa4d3602"),
    ("chen", "Chen", "b4b0acf16712eea2a32f9c8427247e34d69af391cb735978714edc9d6ccb6fce"),
    ("forge3", "FORGe3", "a4a641ee172d7228b640632d4d38598e2b760b5ae3214ae864cde1078458a89f"),
    ("sheff2", "Sheff2", "2027b7db2e53154e960a85de7ae6d17d763838211891788305f9543338999442"),
    ("tr2", "TR2", "78dd28ff2a918b82411ff667736479508f75d7080f555d2b274f05a86571f621"),
    ("forge1", "FORGe1", "27f3f083fd96dd9e3ab0f30ce257010759bc8ead6f5acf3e0681fdcbeb5773de"),
)

SYSTEMS = {label: printed for label, printed, _ in _SYSTEMS}

# The test set: meaning representations and what people wrote for them (CC BY-SA 4.0).
REFERENCES = RemoteFile(
    DATA,
    "e2e/testset_w_refs.csv",
    f"{_DATASET}/testset_w_refs.csv",
    "edc8db685e39bb9824d5bd70c18b1c9b0412d14b527aa960e2d1c8251ee15ccd",
    NAME,
)

# Outputs of each system, by its published name.
OUTPUTS = {
    printed: RemoteFile(
        DATA, f"e2e/system_outputs/{label}.tsv", f"{_EVALUATION}/system_outputs/primary/{label}.tsv", sha256, NAME
    )
    for label, printed, sha256 in _SYSTEMS
}


# Outputs shown at once to a rater, and the columns of each: system, text, rating and errors.
RATED_TOGETHER = 5
_RATED = ("sys", "ref", "quality", "check")

# Columns about the raters (who, where, how trusted) are never stored.
QUALITY = RemoteFile(
    DATA,
    "e2e/human_ratings/quality.csv",
    f"{_EVALUATION}/human_ratings/quality.csv",
    "ace5ed33126d130ea1a0da67cf11170e4e54bf0f27571062faf5877ef0c83fea",
    NAME,
    columns=(
        "_unit_id",
        "_created_at",
        "mr",
        *(f"{name}{place}" for name in _RATED for place in range(1, RATED_TOGETHER + 1)),
    ),
)

FILES = (REFERENCES, *OUTPUTS.values(), QUALITY)
