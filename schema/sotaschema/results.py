"""Claims and where they come from: sources, the results they report, scores, and the events that follow."""

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, StringConstraints, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from sotaschema.base import (
    Count,
    Id,
    Level,
    Line,
    NumberText,
    PartialDate,
    Record,
    Settings,
    Text,
    Url,
    check_finite,
    check_keys,
    check_line,
    number_text,
)
from sotaschema.identity import document_address, result_id
from sotaschema.values import MAX_VALUE_TEXT, ParsedValue, WrittenFloat, parse_value, to_decimal
from sotaschema.vocabulary import (
    Aggregation,
    Comparability,
    DateKind,
    EventType,
    Evidence,
    ExtraTrainingData,
    MissingReason,
    Origin,
    Qualifier,
    Reproduction,
    SourceType,
    Status,
    Transcription,
    TrustField,
    UncertaintyKind,
    Unit,
    Visibility,
)

ARXIV_PATTERN = r"^([0-9]{4}\.[0-9]{4,5}|[a-z-]+(\.[A-Za-z-]+)?/[0-9]{7})(v[0-9]+)?$"
DOI_PATTERN = r"^10\.[0-9]{4,9}(\.[0-9]+)*/[^\s\x22]+$"
"""A DOI; older ones hold angle brackets."""
OPENREVIEW_PATTERN = r"^[A-Za-z0-9_-]{6,20}$"
_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class Uncertainty(Record):
    """How far a value may be off, and what that number means."""

    kind: UncertaintyKind = "unknown"
    """What the number or the interval is; one of unknown kind says nothing about ranks."""
    value: NumberText | None = Field(None, examples=["0.2"])
    """The number after "±", in the unit of the score."""
    low: NumberText | None = Field(None, examples=["98.4"])
    """Lower end of the interval, in the unit of the score."""
    high: NumberText | None = Field(None, examples=["98.9"])
    """Upper end of the interval, in the unit of the score."""
    level: Level | None = None
    """Confidence level of an interval, as a fraction."""


class Score(Record):
    """One value as printed. A plain string or number in a record stands for a score with that text."""

    text: Annotated[str, StringConstraints(max_length=MAX_VALUE_TEXT)] = Field(
        "", examples=["0.90", "93.2 ± 0.1", "<0.01", "24M"]
    )
    """Exactly what the source prints, with every digit."""
    unit: Unit | None = None
    """Only where this score's unit differs from its metric's."""
    qualifier: Qualifier | None = None
    """How the printed number stands to the value, where the text itself does not show it."""
    uncertainty: Uncertainty | None = None
    """How far the value may be off, as the source states it."""
    aggregation: Aggregation | None = None
    """How several runs or parts became this number."""
    n_runs: Count | None = Field(None, examples=[5])
    """Number of runs behind the value."""
    n_items: Count | None = None
    """Number of items behind the value; the benchmark's number where absent."""
    missing_reason: MissingReason | None = None
    """Why there is no value; then the text is what the source prints instead of one, if anything."""
    note: Line | None = Field(None, examples=["Read from a bar chart"])
    """What else a reader of this one value should know."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The object, or one of the short forms that stand for it."""
        full = handler.resolve_ref_schema(handler(schema))
        return {"anyOf": [full, {"type": ["string", "number", "null"]}]}

    @model_validator(mode="before")
    @classmethod
    def accept_bare_values(cls, value: Any) -> Any:
        """`1.6426`, `"1.6426"` and `null` are short for `{text: "1.6426"}` and `{missing_reason: not_reported}`."""
        if isinstance(value, str):
            return {"text": value}
        if value is None:
            return {"missing_reason": "not_reported"}
        if isinstance(value, int | float) and not isinstance(value, bool):
            if isinstance(value, float) and not isinstance(value, WrittenFloat):
                check_finite(value)
            return {"text": number_text(value)}
        return value

    @model_validator(mode="after")
    def check_text_is_one_line(self) -> Self:
        """Score texts stand in table cells everywhere."""
        check_line(self.text)
        return self

    @property
    def parsed(self) -> ParsedValue:
        """What the text says, with the record's own statements put above what was read from the text."""
        if self.missing_reason is not None:
            return ParsedValue(missing_reason=self.missing_reason)
        parsed = parse_value(self.text)
        if self.uncertainty is None and self.unit is None and self.qualifier is None:
            return parsed
        if stated := self.uncertainty:
            parsed = parsed._replace(
                uncertainty=parsed.uncertainty if stated.value is None else to_decimal(stated.value),
                low=parsed.low if stated.low is None else to_decimal(stated.low),
                high=parsed.high if stated.high is None else to_decimal(stated.high),
            )
        return parsed._replace(unit=self.unit or parsed.unit, qualifier=self.qualifier or parsed.qualifier)


class Locator(Record):
    """Where in its source a number stands."""

    page: Count | None = Field(None, examples=[7])
    """Number of the page."""
    table: Line | None = Field(None, examples=["2", "Table A.1"])
    """Number or name of the table."""
    figure: Line | None = Field(None, examples=["3b"])
    """Number or name of the figure."""
    row: Line | None = Field(None, examples=["SmallNet (ours)"])
    """The row's label as printed."""
    column: Line | None = Field(None, examples=["Top-1"])
    """The column's label as printed."""
    section: Line | None = Field(None, examples=["5.2"])
    """Number or title of the section."""
    fragment: Line | None = Field(None, examples=["S4.T2"])
    """Fragment of the source's address: what follows the `#`."""


class ImportedRow(Record):
    """Where an importer read a result, so that the import can be repeated."""

    file: Line = Field(examples=["evaluation-tables.json"])
    """Name of the imported file."""
    row: Annotated[int, Field(ge=0, le=2**53, examples=[0])]
    """Ordinal of the row in the file, from 0."""
    path: Line | None = Field(None, examples=["[3].datasets[0].sota.rows[12]"])
    """Where the row stands in the file's own structure."""
    sha256: Line = Field(examples=[_SHA256])
    """Hash of the row as it was read, in hexadecimal."""


class Result(Record):
    """One row of a table: a method under stated conditions, with its scores."""

    id: Id | None = Field(None, examples=["author-2026-small-net"])
    """Kept for ever; derived from source, benchmark, method label, config and variant where absent."""
    source: Id | None = Field(None, examples=["author-2026"])
    """Only in `results/`, where bulk results stand apart from their sources: the source that states it."""
    benchmark: Id = Field(examples=["image-classification-on-mnist-test"])
    """The benchmark that was run, by id."""
    method: Id = Field(examples=["small-net"])
    """The method that was run, by id."""
    method_label: Line | None = Field(None, examples=["SmallNet (ours)"])
    """The method's name as this source prints it; the method's own name where absent."""
    variant: Line | None = Field(None, examples=["2"])
    """Tells rows of one source apart that differ in nothing but their values."""
    config: Settings = Field(default_factory=dict, examples=[{"Inference Method": "MC Dropout", "Shots": 5}])
    """Conditions that a comparison depends on, as recorded."""
    config_extra: Annotated[dict[Line, Line], BeforeValidator(check_keys)] = Field(
        default_factory=dict, examples=[{"Prompt": "as in the appendix"}]
    )
    """Conditions kept as text because nobody has typed them yet."""
    settings: Settings = Field(default_factory=dict, examples=[{"learning rate": 0.1, "seeds": 3}])
    """Hyperparameters and machine details; never part of a comparison."""
    scores: Annotated[
        dict[Id, Score],
        Field(
            min_length=1,
            examples=[{"accuracy": "98.70"}, {"accuracy": {"text": "98.7 ± 0.2", "uncertainty": {"kind": "sd"}}}],
        ),
    ]
    """One score for each metric key of the benchmark that the row gives; at least one."""
    locator: Locator | None = None
    """Where in the source the row stands."""
    date: PartialDate | None = None
    """When the result was achieved or stated; never derived from an id or from today."""
    date_kind: DateKind = "unknown"
    """What `date` is the date of."""
    hardware: Line | None = Field(None, examples=["8 x A100"])
    """The hardware as stated."""
    extra_training_data: ExtraTrainingData = "unknown"
    """Whether the method was trained on data beyond the benchmark's own."""
    notes: Text | None = None
    """What else a reader should know, in the registry's own words."""
    evidence: Evidence | None = None
    """Who states the number, and what is there to check it with."""
    transcription: Transcription = "unchecked"
    """Whether the copy was compared with its source."""
    reproduction: Reproduction = "not_attempted"
    """Whether anybody ran it again, and with which outcome; backed by an event with evidence."""
    status: Status = "active"
    """Whether the claim still stands."""
    comparability: Comparability = "unknown"
    """Whether the benchmark's protocol was followed."""
    comparability_note: Line | None = Field(None, examples=["Evaluated on half of the test images"])
    """How the protocol was left."""
    imported: ImportedRow | None = None
    """The row that an importer read it from; written by importers only."""
    visibility: Visibility = "public"
    """Whether the result may be published."""
    embargo_until: PartialDate | None = Field(None, examples=["2027-03-01"])
    """Left out of everything published before this day; before its last day if it is a month or a year."""

    def id_in(self, source: str) -> str:
        """The id of this result as one of the given source."""
        return self.id or result_id(source, self.benchmark, self.method_label or self.method, self.config, self.variant)


class RecordedVia(Record):
    """The page or archive through which a source's numbers came here, when they were not read in the source itself."""

    name: Line = Field(examples=["Papers with Code"])
    """Name of the page or archive."""
    url: Url | None = Field(None, examples=["https://example.org/archive"])
    """Its address."""
    version: Line | None = Field(None, examples=["2025-07-28"])
    """Commit, release or date of the archive."""
    retrieved: PartialDate | None = None
    """When the numbers were read there."""
    licence: Line | None = Field(None, examples=["CC BY-SA 4.0"])
    """Terms of the page or archive."""


class Import(Record):
    """Which importer wrote a source, from what."""

    importer: Line = Field(examples=["pwc"])
    """Name of the importer: a format of `toolkit import`."""
    importer_version: Line = Field(examples=["1"])
    """Version of the importer."""
    file: Line = Field(examples=["evaluation-tables.json"])
    """Name of the imported file."""
    sha256: Line = Field(examples=[_SHA256])
    """Hash of the whole file, in hexadecimal."""


class Source(Record):
    """A document that states results: the unit of review. Its results stand in it or beside it."""

    id: Id = Field(examples=["author-2026"])
    """Name by which other records refer to the source; it never changes."""
    type: SourceType
    """What kind of document it is."""
    title: Line | None = Field(None, examples=["Small Networks for Small Images"])
    """The title as printed."""
    authors: list[Line] = Field([], examples=[["A. Author", "B. Author"]])
    """The authors in the order of the document."""
    date: PartialDate | None = None
    """When the document was published."""
    arxiv: Annotated[str, StringConstraints(pattern=ARXIV_PATTERN)] | None = Field(
        None, examples=["2601.16659", "2601.16659v2", "cs/0101001"]
    )
    """Identifier at arXiv, quoted in YAML."""
    doi: Annotated[str, StringConstraints(pattern=DOI_PATTERN)] | None = Field(None, examples=["10.1109/5.771073"])
    """The DOI alone, without `https://doi.org/`."""
    openreview: Annotated[str, StringConstraints(pattern=OPENREVIEW_PATTERN)] | None = Field(
        None, examples=["aB3xY7kQ2z"]
    )
    """Identifier at OpenReview: what follows `forum?id=` in the address."""
    url: Url | None = Field(None, examples=["https://example.org/report.pdf"])
    """Address of the document; where absent, readers are led to its DOI, arXiv or OpenReview page."""
    venue: Line | None = Field(None, examples=["NeurIPS 2025"])
    """Conference, journal or site that published it."""
    licence: Line | None = Field(None, examples=["CC BY 4.0"])
    """Terms of the source's data."""
    retracted: bool = False
    """Whether the document was retracted; its results stay recorded."""
    recorded_via: RecordedVia | None = None
    """The page or archive where the numbers were read, if not in the document itself."""
    imported: Import | None = None
    """The importer and the file that the source came from; written by importers only."""
    run: Settings = Field({}, examples=[{"command": "toolkit evaluate", "seeds": "0, 1, 2"}])
    """Manifest of an evaluation run: code revision, seeds, versions, command."""
    notes: Text | None = None
    """What else a reader should know, in the registry's own words."""
    publish: bool = True
    """False keeps the source and its results out of everything published, for instance where its terms forbid it."""
    visibility: Visibility = "public"
    """Whether the source and its results may be published."""
    embargo_until: PartialDate | None = Field(None, examples=["2027-03-01"])
    """Left out of everything published before this day; before its last day if it is a month or a year."""
    results: list[Result] = []
    """The rows that the document states."""

    @property
    def origin(self) -> Origin:
        """How this source's results came here."""
        if self.type == "run":
            return "regenerated"
        return "imported" if self.imported else "reported"

    @property
    def address(self) -> str | None:
        """The address where a reader finds the document."""
        return document_address(self.url, self.doi, self.arxiv, self.openreview)


class Event(Record):
    """Something that happened to a record after it was written. Events are only ever added."""

    id: Id = Field(examples=["2026-03-smith-checked"])
    """Name of the event; it never changes."""
    type: EventType
    """What happened."""
    target: Id = Field(examples=["author-2026-small-net"])
    """Id of the result or source that it happened to."""
    date: PartialDate
    """When it happened."""
    actor: Line = Field(examples=["Cy Curator"])
    """Who did it; may be a tool."""
    field: TrustField | None = None
    """The trust field that the event changes, where its type does not say so."""
    before: Line | None = Field(None, examples=["unchecked"])
    """The word that the trust field had before; any text where the event changes no trust field."""
    after: Line | None = Field(None, examples=["human_checked"])
    """The word that the trust field has from then on; any text where the event changes no trust field."""
    reason: Line | None = Field(None, examples=["All rows of table 2 compared with the paper"])
    """Why, or how it was found; may name the id of a run."""
    evidence: Url | None = Field(None, examples=["https://example.org/issues/17"])
    """Address of what shows it."""
