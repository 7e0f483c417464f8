"""Words in column names that hint at a role: English, German, French, Spanish, Italian.

A hint is a reason to suggest a role, never more. Accents, case and separators do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

__all__ = ["TOPICS", "Topic", "topics_of", "words_of"]


@dataclass(frozen=True)
class Topic:
    """Something that column names speak of.

    weak   the words are used for many things, so the values have to agree
    code   values are codes, even if they consist of digits
    person   the values are of one person each, so that one which repeats has several rows of them
    """

    meaning: str
    role: Literal["identifier", "quasi", "sensitive", "weight"]
    words: str
    weak: bool = False
    code: bool = False
    person: bool = False

    def is_in(self, name: str) -> bool:
        """Whether one of its phrases stands in a name, word for word."""
        text = f" {name} "
        return any(f" {phrase.strip()} " in text for phrase in self.words.split(","))


_PEOPLE = (
    *(
        "patient",
        "person",
        "customer",
        "client",
        "member",
        "subject",
        "user",
        "employee",
        "student",
        "pupil",
        "insured",
    ),
    *(
        "participant",
        "respondent",
        "patienten",
        "kunden",
        "personal",
        "versicherten",
        "paciente",
        "cliente",
        "paziente",
    ),
)
_KEYS = ("id", "nbr", "number", "num", "no", "nr", "key", "code", "nummer", "numero")

TOPICS = (
    Topic(
        "a person's name",
        "identifier",
        "first name, firstname, forename, given name, middle name, last name, lastname, surname, family name, "
        "maiden name, full name, fullname, patient name, customer name, employee name, person name, client name, "
        "student name, vorname, nachname, familienname, geburtsname, prenom, apellido, apellidos, cognome, nome e "
        "cognome",
    ),
    Topic(
        "an official number of a person",
        "identifier",
        "ssn, social security, social security number, nhs number, national id, passport, passport number, tax "
        "id, driving licence, driver license, mrn, medical record number, insurance number, "
        "sozialversicherungsnummer, versichertennummer, steuernummer, ausweisnummer, reisepass, numero de "
        "securite sociale, nir, passeport, dni, nie, nif, pasaporte, codice fiscale, passaporto",
        code=True,
        person=True,
    ),
    Topic(
        "a way to reach a person",
        "identifier",
        "email, e mail, mail, phone, telephone, mobile, fax, address, street, ip address, ipaddress, iban, "
        "account number, credit card, username, login, telefon, handy, mobil, adresse, anschrift, strasse, "
        "kontonummer, courriel, rue, correo, telefono, movil, direccion, calle, domicilio, cellulare, indirizzo",
        code=True,
    ),
    Topic("a name", "identifier", "name, nom, nombre, nome", weak=True),
    Topic(
        "a person's number or key",
        "identifier",
        ", ".join([*(f"{who} {key}" for who in _PEOPLE for key in _KEYS), *(f"{who}id" for who in _PEOPLE)])
        + ", patientennummer, kundennummer, personalnummer",
        weak=True,
        code=True,
        person=True,
    ),
    Topic(
        "an identity number or key",
        "identifier",
        "id, ids, uuid, guid, key, identifier, index, record, case number, kennung, schlussel, schluessel, kennziffer, "
        "fallnummer, identifiant, matricule, identificador, identificativo, matricola",
        weak=True,
        code=True,
    ),
    Topic(
        "a birth",
        "quasi",
        "dob, birth, birthdate, birthday, birthyear, date of birth, born, geburtsdatum, geburtstag, geburtsjahr, "
        "geboren, naissance, nacimiento, nascita",
    ),
    Topic("an age", "quasi", "age, alter, lebensalter, edad, eta"),
    Topic(
        "a postcode",
        "quasi",
        "zip, zipcode, postcode, postal, plz, postleitzahl, code postal, cp, codigo postal, cap",
        code=True,
    ),
    Topic(
        "a place",
        "quasi",
        "city, town, county, state, province, region, district, municipality, country, residence, stadt, ort, "
        "wohnort, gemeinde, kreis, bundesland, land, ville, commune, departement, pays, ciudad, municipio, "
        "provincia, pais, citta, comune, regione, paese",
    ),
    Topic("a sex or gender", "quasi", "sex, gender, geschlecht, sexe, genre, sexo, genero, sesso, genere"),
    Topic(
        "an origin",
        "quasi",
        "race, ethnicity, ethnic, nationality, citizenship, birthplace, native country, native language, mother "
        "tongue, nationalitat, nationalitaet, staatsangehorigkeit, staatsangehoerigkeit, herkunft, muttersprache, "
        "nationalite, nacionalidad, etnia, nazionalita, cittadinanza",
    ),
    Topic(
        "a level of education",
        "quasi",
        "education, school, degree, schooling, bildung, schulabschluss, abschluss, etudes, diplome, educacion, "
        "estudios, istruzione, titolo di studio",
    ),
    Topic(
        "a family situation",
        "quasi",
        "marital, marital status, married, civil status, relationship, household, children, familienstand, "
        "haushalt, kinder, etat civil, situation familiale, estado civil, hijos, stato civile, figli",
    ),
    Topic(
        "a job",
        "quasi",
        "occupation, job, profession, workclass, work class, employer, employment, beruf, arbeitgeber, metier, "
        "emploi, ocupacion, profesion, empleo, professione, occupazione, lavoro",
    ),
    Topic(
        "an event that others may know of",
        "quasi",
        "admission, admitted, discharge, visit, arrival, death, aufnahme, entlassung, besuch, sterbedatum, "
        "admission date, sortie, visite, deces, ingreso, alta, fallecimiento, ricovero, dimissione, decesso",
    ),
    Topic(
        "health",
        "sensitive",
        "disease, diagnosis, diagnoses, condition, illness, disorder, hiv, cancer, treatment, medication, "
        "drug, therapy, pregnancy, disability, krankheit, diagnose, diagnosen, erkrankung, befund, behandlung, "
        "medikament, maladie, diagnostic, traitement, enfermedad, diagnostico, tratamiento, malattia, diagnosi, "
        "trattamento, patologia",
    ),
    Topic(
        "a diagnosis",
        "sensitive",
        "diag, dx, icd, diagnosis code, diagnose code, diagnoseschlussel, diagnoseschluessel",
        code=True,
    ),
    Topic(
        "money",
        "sensitive",
        "income, salary, wage, wages, earnings, debt, wealth, capital gain, capital loss, credit score, "
        "einkommen, gehalt, lohn, schulden, vermogen, vermoegen, revenu, salaire, dette, ingresos, salario, "
        "sueldo, deuda, reddito, stipendio, debito",
    ),
    Topic(
        "belief or private life",
        "sensitive",
        "religion, religious, faith, political, trade union, sexual orientation, crime, offence, offense, "
        "conviction, konfession, glaube, partei, gewerkschaft, straftat, croyance, politique, parti, syndicat, "
        "religione, politica, partido, sindicato, partito, delito, reato",
    ),
    Topic(
        "a sampling weight",
        "weight",
        "weight factor, weighting factor, sampling weight, sample weight, survey weight, design weight, person weight, "
        "household weight, final weight, case weight, fnlwgt, finalwgt, wgt, pwgt, pwgtp, pweight, perwt, hhwt, "
        "gewichtungsfaktor, hochrechnungsfaktor, ponderation, factor de expansion, ponderacion, peso campionario",
    ),
    Topic("a weight, of sampling or of a body", "weight", "weight, wt, gewicht, poids, peso", weak=True),
)


def words_of(name: str) -> str:
    """A column name as plain lower-case words.

    >>> words_of("dateOfBirth"), words_of("Straße_2"), words_of("native-country")
    ('date of birth', 'strasse', 'native country')
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = unicodedata.normalize("NFKD", parted.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return " ".join(re.findall(r"[a-z]+", plain.lower()))


def topics_of(name: str) -> tuple[Topic, ...]:
    """What a column name speaks of; weak topics only if there is no other.

    How many diagnoses somebody has is not what they are: a number of secrets is no secret by its name.

    >>> [topic.meaning for topic in topics_of("diag_1")], topics_of("number_diagnoses")
    (['a diagnosis'], ())
    """
    words = words_of(name)
    found = [topic for topic in TOPICS if topic.is_in(words)]
    if words.split()[:1] in _COUNTS or words.split()[-1:] in _COUNTS[:1]:
        found = [topic for topic in found if topic.role != "sensitive"]
    if any(topic.person for topic in found):
        found = [topic for topic in found if topic.person or not topic.weak]
    return tuple(topic for topic in found if not topic.weak) or tuple(found)


_COUNTS = (["count"], ["number"], ["num"], ["nr"], ["anzahl"], ["nombre"], ["numero"])
