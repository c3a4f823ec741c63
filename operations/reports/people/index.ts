/** Exports of this area for other areas: retention shows the same where a site identifies no visitors. */
export { NoPeople } from './no-people.tsx'
