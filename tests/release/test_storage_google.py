"""Releases in Google Cloud Storage: the way of an object store, by another protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.table.storages import uri_of
from sfumato.table.storages.stored import StoredFolder
from tests.support.storages import OTHER, POLICY, google_server, left_here, people_file


def test_a_release_is_published_read_again_and_replaced(here: Path) -> None:
    with google_server() as port:
        place = f"gs://clinic/open/shown/?endpoint_override=127.0.0.1:{port}&scheme=http"
        uri = uri_of(place)
        assert uri is not None
        written = sf.publish(people_file(), policy=POLICY).write(place)
        assert written.manifest == Path("clinic.shown.internal.json")
        assert sf.audit(place, POLICY, written.manifest).problems == ()
        first = StoredFolder.at(uri).listed().keys()
        assert {f"{uri}{name}" for name in first} == {*written.public}
        release = sf.publish("people.csv", policy=OTHER)
        with pytest.raises(InputError, match="exists; nothing was changed"):
            release.write(place)
        again = release.write(place, force=True)
        audit = sf.audit(place, OTHER, again.manifest)
        assert audit.holds
        assert audit.problems == ()
        assert StoredFolder.at(uri).listed().keys() & first == {"release.json"}
        assert left_here() == []
        StoredFolder.at(uri).write("notes.txt", b"mine")
        with pytest.raises(InputError, match="not just a release"):
            release.write(place, force=True)
        with pytest.raises(InputError, match="there is no such bucket"):
            sf.Target.of(place.replace("clinic", "nowhere"))
