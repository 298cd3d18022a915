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

ARXIV_PATTERN = r"^([0-9]{4}\.[0-9]{4,5}|[a-z.-]+/[0-9]{7})(v[0-9]+)?$"
DOI_PATTERN = r"^10\.[0-9]{4,9}(\.[0-9]+)*/[^\s\x22]+$"
"""A DOI; older ones hold angle brackets."""
OPENREVIEW_PATTERN = r"^[A-Za-z0-9_-]{6,20}$"


class Uncertainty(Record):
    """How far a value may be off, and what that number means."""

    kind: UncertaintyKind = "unknown"
    value: NumberText | None = None
    """The number after "±", in the unit of the score."""
    low: NumberText | None = None
    high: NumberText | None = None
    level: Level | None = None
    """Confidence level of an interval, as a fraction."""


class Score(Record):
    """One value as printed. A plain string or number in a record stands for a score with that text."""

    text: Annotated[str, StringConstraints(max_length=MAX_VALUE_TEXT)] = ""
    """Exactly what the source prints."""
    unit: Unit | None = None
    """Only where this score's unit differs from its metric's."""
    qualifier: Qualifier | None = None
    uncertainty: Uncertainty | None = None
    aggregation: Aggregation | None = None
    n_runs: Count | None = None
    n_items: Count | None = None
    missing_reason: MissingReason | None = None
    """Why there is no value; then the text is what the source prints instead of one, if anything."""
    note: Line | None = None

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

    page: Count | None = None
    table: Line | None = None
    figure: Line | None = None
    row: Line | None = None
    column: Line | None = None
    section: Line | None = None
    fragment: Line | None = None
    """Fragment of the source's address."""


class ImportedRow(Record):
    """Where an importer read a result, so that the import can be repeated."""

    file: Line
    row: Annotated[int, Field(ge=0, le=2**53)]
    """Ordinal of the row in the file, from 0."""
    path: Line | None = None
    """Where the row stands in the file's own structure."""
    sha256: Line
    """Hash of the row as it was read."""


class Result(Record):
    """One row of a table: a method under stated conditions, with its scores."""

    id: Id | None = None
    """Kept for ever; derived from the other fields where absent."""
    source: Id | None = None
    """Only in `results/`, where bulk results stand apart from their sources: the source that states it."""
    benchmark: Id
    method: Id
    method_label: Line | None = None
    """The method's name as this source prints it; the method's own name where absent."""
    variant: Line | None = None
    """Tells rows of one source apart that differ in nothing but their values."""
    config: Settings = Field(default_factory=dict)
    """Conditions that a comparison depends on, as recorded."""
    config_extra: Annotated[dict[Line, Line], BeforeValidator(check_keys)] = Field(default_factory=dict)
    """Conditions kept as text because nobody has typed them yet."""
    settings: Settings = Field(default_factory=dict)
    """Hyperparameters and machine details; never part of a comparison."""
    scores: Annotated[dict[Id, Score], Field(min_length=1)]
    """One score for each metric key of the benchmark that the row gives."""
    locator: Locator | None = None
    date: PartialDate | None = None
    """When the result was achieved or stated; never derived from an id or from today."""
    date_kind: DateKind = "unknown"
    hardware: Line | None = None
    extra_training_data: ExtraTrainingData = "unknown"
    notes: Text | None = None
    evidence: Evidence | None = None
    transcription: Transcription = "unchecked"
    reproduction: Reproduction = "not_attempted"
    status: Status = "active"
    comparability: Comparability = "unknown"
    comparability_note: Line | None = None
    imported: ImportedRow | None = None
    visibility: Visibility = "public"
    embargo_until: PartialDate | None = None

    def id_in(self, source: str) -> str:
        """The id of this result as one of the given source."""
        return self.id or result_id(source, self.benchmark, self.method_label or self.method, self.config, self.variant)


class RecordedVia(Record):
    """The page or archive through which a source's numbers came here, when they were not read in the source itself."""

    name: Line
    url: Url | None = None
    version: Line | None = None
    """Commit, release or date of the archive."""
    retrieved: PartialDate | None = None
    licence: Line | None = None


class Import(Record):
    """Which importer wrote a source, from what."""

    importer: Line
    importer_version: Line
    file: Line
    sha256: Line
    """Hash of the whole file."""


class Source(Record):
    """A document that states results: the unit of review. Its results stand in it or beside it."""

    id: Id
    type: SourceType
    title: Line | None = None
    authors: list[Line] = []
    date: PartialDate | None = None
    arxiv: Annotated[str, StringConstraints(pattern=ARXIV_PATTERN)] | None = None
    doi: Annotated[str, StringConstraints(pattern=DOI_PATTERN)] | None = None
    openreview: Annotated[str, StringConstraints(pattern=OPENREVIEW_PATTERN)] | None = None
    url: Url | None = None
    venue: Line | None = None
    licence: Line | None = None
    """Terms of the source's data."""
    retracted: bool = False
    recorded_via: RecordedVia | None = None
    imported: Import | None = None
    run: Settings = {}
    """Manifest of an evaluation run: code revision, seeds, versions, command."""
    notes: Text | None = None
    publish: bool = True
    """False keeps the source and its results out of everything published."""
    visibility: Visibility = "public"
    embargo_until: PartialDate | None = None
    results: list[Result] = []

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

    id: Id
    type: EventType
    target: Id
    """Id of a result or a source."""
    date: PartialDate
    actor: Line
    """Who did it; may be a tool."""
    field: TrustField | None = None
    """The trust field that the event changes."""
    before: Line | None = None
    after: Line | None = None
    reason: Line | None = None
    evidence: Url | None = None
