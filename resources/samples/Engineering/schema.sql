-- Weirwatch: the store of readings, sites and alarms (PostgreSQL 16).
-- Owner: Kwame Adusei. Changed by migrations only; this file is what they add up to.

CREATE TABLE customer (
    customer_id  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text NOT NULL UNIQUE,
    region       text NOT NULL CHECK (region IN ('North', 'South', 'East', 'West')),
    keep_years   smallint NOT NULL DEFAULT 10,  -- how long readings are kept, unless the contract differs
    closed_on    date
);

-- A person who may sign in. Closed accounts are deleted after ninety days (register, R08).
CREATE TABLE account (
    account_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id  integer NOT NULL REFERENCES customer,
    email        text NOT NULL UNIQUE,
    role         text NOT NULL DEFAULT 'reader' CHECK (role IN ('reader', 'warden', 'owner')),
    closed_on    date
);

CREATE TABLE site (
    site_id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id  integer NOT NULL REFERENCES customer,
    name         text NOT NULL,
    river        text NOT NULL,
    latitude     double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude    double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    UNIQUE (customer_id, name)
);

-- A gateway holds up to 72 hours of readings when it cannot reach us. Firmware
-- below 2.8 holds only the last 300 readings: see the incident of 9 September 2026.
CREATE TABLE gateway (
    serial       text PRIMARY KEY CHECK (serial ~ '^GW[0-9]{6}$'),
    site_id      integer REFERENCES site,
    firmware     text NOT NULL,
    last_seen    timestamptz
);

CREATE TABLE sensor (
    serial        text PRIMARY KEY,
    gateway       text REFERENCES gateway (serial),
    model         text NOT NULL,              -- RL-200, RL-220, WQ-120, WQ-410, RG-80
    quantity      text NOT NULL CHECK (quantity IN ('level', 'turbidity', 'oxygen', 'conductivity', 'rain')),
    calibrated_on date NOT NULL,
    due_on        date NOT NULL,
    CHECK (due_on > calibrated_on)
);

-- One partition a month. A job makes the next partition on the 25th, and another
-- moves partitions older than thirteen months to the archive, every night at 03:30.
CREATE TABLE reading (
    sensor       text NOT NULL REFERENCES sensor (serial),
    taken_at     timestamptz NOT NULL,
    value        double precision NOT NULL,   -- metres, NTU, mg/l, uS/cm or mm
    quality      smallint NOT NULL DEFAULT 0, -- 0 good, 1 doubtful, 2 bad
    PRIMARY KEY (sensor, taken_at)
) PARTITION BY RANGE (taken_at);

CREATE TABLE reading_2026_10 PARTITION OF reading FOR VALUES FROM ('2026-10-01') TO ('2026-11-01');
CREATE TABLE reading_2026_11 PARTITION OF reading FOR VALUES FROM ('2026-11-01') TO ('2026-12-01');
CREATE TABLE reading_2026_12 PARTITION OF reading FOR VALUES FROM ('2026-12-01') TO ('2027-01-01');

-- An alarm is raised by two readings in a row past the threshold, so that one
-- floating branch does not wake a flood warden.
CREATE TABLE alarm (
    alarm_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sensor       text NOT NULL REFERENCES sensor (serial),
    threshold    double precision NOT NULL,
    raised_at    timestamptz NOT NULL DEFAULT now(),
    seen_by      integer REFERENCES account,
    cleared_at   timestamptz
);

CREATE INDEX alarm_open ON alarm (sensor) WHERE cleared_at IS NULL;

-- Sensors whose calibration ends within sixty days, for the monthly letter to customers.
CREATE VIEW calibration_due AS
SELECT customer.name AS customer, site.name AS site, sensor.serial, sensor.model, sensor.due_on
FROM sensor
JOIN gateway ON gateway.serial = sensor.gateway
JOIN site USING (site_id)
JOIN customer USING (customer_id)
WHERE sensor.due_on < current_date + 60 AND customer.closed_on IS NULL
ORDER BY sensor.due_on;
