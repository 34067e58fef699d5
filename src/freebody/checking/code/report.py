"""Listings held against models, as reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from freebody.checking.code.judge import Judged, judged
from freebody.checking.models import DerivedModels, model_file
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport
from freebody.code.listings import Listing, read_listing
from freebody.code.values import TooMuchError
from freebody.code.within import listings_within
from freebody.errors import DocumentError, ExpressionError, ListingError
from freebody.model import Model, load

NOTHING = (
    "nothing in it is known to stand for a derived quantity: "
    "name functions or variables in front matter"
)


def check_listing(listing: Listing, quantities: Quantities, model: str = "") -> DocumentReport:
    """Hold a listing against what is derived from a model.

    Parameters
    ----------
    listing : Listing
    quantities : Quantities
    model : str, optional
        What the model is called.

    Raises
    ------
    DocumentError
        If it cannot be read, takes too much work, or declares what the model has not.
    """
    try:
        found = judged(listing, quantities)
    except (ListingError, TooMuchError) as error:
        raise DocumentError.whole(listing.path, str(error)) from None
    except ExpressionError as error:
        raise DocumentError.whole(listing.path, f"front matter: {error}") from None
    return _report(listing, found, model)


def _report(listing: Listing, found: Judged, model: str) -> DocumentReport:
    path = listing.path
    return DocumentReport(
        path.name,
        path.name,
        model,
        found.verdicts,
        remarks=found.remarks,
        faults=() if found.verdicts else (NOTHING,),
        source=str(path),
        language=listing.language,
        edits=tuple(dict.fromkeys(mend.edit for mend in found.mends)),
        statements=found.statements,
    )


def with_code(
    page: DocumentReport, path: Path, quantities: Quantities, model: str = ""
) -> list[DocumentReport]:
    """Return the report on a page, and those on the code that stands within it.

    There is one for each language in which something stands for a derived quantity. Of other code
    that is a remark on the page; so is that code cannot be read, which is no fault of the page.

    Parameters
    ----------
    page : DocumentReport
    path : Path
        Of the page.
    quantities : Quantities
    model : str, optional
        What the model is called.
    """
    reports, remarks = [], []
    try:
        listings = listings_within(path)
    except DocumentError as error:
        message = "; ".join(problem.message for problem in error.problems)
        return [replace(page, remarks=(*page.remarks, f"its code is not read: {message}"))]
    for listing in listings:
        name = f"{path.name}, code in {listing.language}"
        try:
            found = judged(listing, quantities)
        except (ListingError, TooMuchError, ExpressionError) as error:
            remarks.append(f"its code in {listing.language} is not read: {error}")
            continue
        if found.verdicts:
            report = _report(listing, found, model)
            reports.append(replace(report, document=name, title=name))
        else:
            remarks.append(f"its code in {listing.language}: {NOTHING}")
    return [replace(page, remarks=(*page.remarks, *remarks)), *reports]


def check_code(path: Path, derived: DerivedModels) -> DocumentReport:
    """Hold a file of code against the model that its front matter names.

    Raises
    ------
    DocumentError, ModelError
        If it names none, or one of them cannot be read.
    """
    listing = read_listing(path)
    model = _model_of(listing)
    return check_listing(listing, derived.of(model), listing.front.model)


def _model_of(listing: Listing) -> Model:
    name = listing.front.model
    if not name:
        raise DocumentError.whole(
            listing.path,
            "it names no model: expected --against MODEL, or 'model' in its front matter",
        )
    try:
        found = model_file(listing.path.parent, name)
    except (OSError, ValueError) as error:
        raise DocumentError.whole(listing.path, f"model: {error}") from None
    if found is None:
        raise DocumentError.whole(
            listing.path, f"no model '{name}' beside it or among the shipped ones"
        )
    return load(found)
