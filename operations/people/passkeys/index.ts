/** What other areas may use of this one. */
export { addPasskey, creationOptions, personOf } from './ceremony.ts'
export { Assertion, Attestation, PasskeyOptions } from './records.ts'
