import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { isIPv4 } from "node:net";

/** A certificate and its private key in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that signs server certificates. */
export interface Authority extends Certificate {
  /** Issues a certificate for host names and IPv4 addresses. */
  issue(names: readonly string[], validUntil?: Date): Certificate;
}

const BEGIN = new Date("2020-01-01T00:00:00Z");
const END = new Date("2049-12-31T00:00:00Z");

/** Creates a self-signed certificate authority for a test. */
export function makeAuthority(name: string): Authority {
  const own = keyPair();
  const isAuthority = extension(OIDS.basicConstraints, sequence(tlv(0x01, Buffer.of(0xff))));
  const request = { issuer: name, issuerKey: own.privateKey, end: END };
  return {
    key: pemKey(own.privateKey),
    cert: certify({ ...request, subject: name, key: own.publicKey, extensions: [isAuthority] }),
    issue(names, validUntil = END) {
      const server = keyPair();
      const extensions = [extension(OIDS.subjectAltName, sequence(...names.map(altName)))];
      const subject = names[0] ?? "server";
      return {
        key: pemKey(server.privateKey),
        cert: certify({ ...request, end: validUntil, subject, key: server.publicKey, extensions }),
      };
    },
  };
}

interface Request {
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly subject: string;
  readonly key: KeyObject;
  readonly end: Date;
  readonly extensions: readonly Buffer[];
}

/** Builds an X.509 version 3 certificate (RFC 5280), signed with ECDSA and SHA-256. */
function certify({ issuer, issuerKey, subject, key, end, extensions }: Request): string {
  const algorithm = sequence(OIDS.ecdsaWithSha256);
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    // The leading 1 keeps the random serial number positive.
    tlv(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer),
    sequence(time(BEGIN), time(end)),
    distinguishedName(subject),
    key.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, issuerKey);
  const der = sequence(body, algorithm, tlv(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** Encoded object identifiers. */
const OIDS = {
  commonName: tlv(0x06, Buffer.of(0x55, 0x04, 0x03)),
  subjectAltName: tlv(0x06, Buffer.of(0x55, 0x1d, 0x11)),
  basicConstraints: tlv(0x06, Buffer.of(0x55, 0x1d, 0x13)),
  ecdsaWithSha256: tlv(0x06, Buffer.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)),
};

function keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemKey(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function distinguishedName(name: string): Buffer {
  return sequence(tlv(0x31, sequence(OIDS.commonName, tlv(0x0c, Buffer.from(name)))));
}

function altName(name: string): Buffer {
  return isIPv4(name)
    ? tlv(0x87, Buffer.from(name.split(".").map(Number)))
    : tlv(0x82, Buffer.from(name, "latin1"));
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, tlv(0x04, value));
}

/** Encodes a time as UTCTime, whose two-digit year is valid until 2049. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return tlv(0x17, Buffer.from(digits.slice(2)));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

/** Encodes a tag, a length and a value. */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const header =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), value]);
}
