/** Exports of this area for other areas. */
export { addPasskey, creationOptions, isStillPasskey, personOf } from './ceremony.ts'
export { Assertion, Attestation, PasskeyOptions } from './records.ts'
