/** The part of this area that others may use. */
export { addPasskey, creationOptions, isStillPasskey, personOf } from './ceremony.ts'
export { Assertion, Attestation, PasskeyOptions } from './records.ts'
