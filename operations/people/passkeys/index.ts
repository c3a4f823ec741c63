/** Exports of this area for other areas. */
export { addPasskey, creationOptions, isStillPasskey, personOf, usedSince } from './ceremony.ts'
export { Assertion, Attestation, PasskeyOptions } from './records.ts'
