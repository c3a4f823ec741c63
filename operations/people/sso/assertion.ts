/** Reads a verified assertion as the library's parser returns it: lists of elements, `$` attributes, `_` text. */
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { matches } from '../../../runtime/values/matches.ts'
import { type NameId, nameOf, Profile } from './profile.ts'
import { refuse } from './reasons.ts'
import { m } from './messages.ts'

export interface Confirmation {
  readonly recipient: string | undefined
  readonly inResponseTo: string | undefined
  readonly notBefore: number | undefined
  readonly notOnOrAfter: number | undefined
}

export interface Claims {
  readonly issuer: string
  readonly issuedAt: number | undefined
  readonly nameId: NameId
  readonly confirmations: readonly Confirmation[]
  /** Audiences by restriction. Each restriction must name this service (SAML Core §2.5.1.4). */
  readonly audiences: ReadonlyArray<readonly string[]>
  readonly notBefore: number | undefined
  readonly notOnOrAfter: number | undefined
  readonly sessionNotOnOrAfter: number | undefined
  /** First values, by lower-case attribute name. */
  readonly attributes: ReadonlyMap<string, string>
}

type Element = Readonly<Record<string, unknown>>

/**
 * Known conditions. An assertion with any other condition is invalid (SAML Core §2.5.1.1). Footfall accepts an assertion only once,
 * as `OneTimeUse` requires, and never passes it on, which `ProxyRestriction` limits.
 */
const knownConditions: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'])

/** @throws SsoRefusal if a mandatory element is missing */
export function verifiedClaims(parsed: Element): Claims {
  const assertion = isObject(parsed.Assertion) ? parsed.Assertion : refuse('structure')
  const subject = only(assertion, 'Subject')
  const nameId = only(subject, 'NameID')
  const conditions = only(assertion, 'Conditions')
  const unknown = Object.keys(conditions).filter(name => name !== '$' && name !== '_' && !knownConditions.has(name))
  if (unknown.length > 0) refuse('condition', m.it_says({ value: unknown.join(', ').slice(0, 100) }))
  const statements = all(assertion, 'AuthnStatement')
  const statement = statements[0] ?? refuse('structure', m.no_authn_statement())
  const ends = statements.map(each => time(attribute(each, 'SessionNotOnOrAfter'))).filter(each => each !== undefined)
  const bearers = all(subject, 'SubjectConfirmation').filter(each => attribute(each, 'Method') === 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
  return {
    issuer: textOf(only(assertion, 'Issuer')),
    issuedAt: time(attribute(assertion, 'IssueInstant')),
    nameId: {
      value: textOf(nameId) || refuse('subject'),
      format: attribute(nameId, 'Format') ?? '',
      nameQualifier: attribute(nameId, 'NameQualifier'),
      spNameQualifier: attribute(nameId, 'SPNameQualifier'),
      sessionIndex: attribute(statement, 'SessionIndex'),
    },
    confirmations: bearers.flatMap(each =>
      all(each, 'SubjectConfirmationData').map(data => ({
        recipient: attribute(data, 'Recipient'),
        inResponseTo: attribute(data, 'InResponseTo'),
        notBefore: time(attribute(data, 'NotBefore')),
        notOnOrAfter: time(attribute(data, 'NotOnOrAfter')),
      })),
    ),
    audiences: all(conditions, 'AudienceRestriction').map(each => all(each, 'Audience').map(textOf)),
    notBefore: time(attribute(conditions, 'NotBefore')),
    notOnOrAfter: time(attribute(conditions, 'NotOnOrAfter')),
    sessionNotOnOrAfter: ends.length > 0 ? Math.min(...ends) : undefined,
    attributes: attributesOf(assertion),
  }
}

/** Names under which identity providers send the attribute. The last one is its OID. */
const emailNames = [
  'email',
  'mail',
  'emailaddress',
  'user.email',
  'e-mail',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
]
const claim = (name: string) => `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`

/** Returns the address from the attributes, or a NameID that is an address. @throws SsoRefusal */
export function emailOf({ attributes, nameId: { value, format } }: Claims): string {
  const given = emailNames.map(name => attributes.get(name)).find(value => value !== undefined && value !== '')
  const email = given ?? (format === '' || /:(emailAddress|unspecified|persistent)$/.test(format) ? value : undefined)
  if (email === undefined || !matches(Profile.properties.email, email))
    refuse('email_missing', given === undefined ? undefined : m.it_says({ value: given.slice(0, 100) }))
  return canonicalEmail(email)
}

export function nameIn({ attributes }: Claims): string | null {
  const first = (...names: string[]) => names.map(name => attributes.get(name.toLowerCase())).find(Boolean)
  return nameOf(
    first('displayname', 'name', 'cn', 'http://schemas.microsoft.com/identity/claims/displayname'),
    first('firstname', 'givenname', 'user.firstname', claim('givenname'), 'urn:oid:2.5.4.42'),
    first('lastname', 'surname', 'sn', 'user.lastname', claim('surname'), 'urn:oid:2.5.4.4'),
  )
}

function attributesOf(assertion: Element): Map<string, string> {
  const found = new Map<string, string>()
  for (const each of all(assertion, 'AttributeStatement').flatMap(statement => all(statement, 'Attribute'))) {
    const name = attribute(each, 'Name')?.toLowerCase()
    const [value] = all(each, 'AttributeValue')
    if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, textOf(value))
  }
  return found
}

/** The elements of this name. The parser returns an element without attributes as a plain string. */
function all(element: Element, name: string): Element[] {
  const found = element[name]
  return Array.isArray(found) ? found.map(each => (isObject(each) ? each : { _: String(each) })) : []
}

function only(element: Element, name: string): Element {
  const [first, ...more] = all(element, name)
  if (first === undefined || more.length > 0)
    refuse(
      name === 'Subject' || name === 'NameID' ? 'subject' : 'structure',
      more.length === 0 ? m.has_no({ name }) : m.more_than_one({ name }),
    )
  return first
}

function attribute({ $: attributes }: Element, name: string): string | undefined {
  const value = isObject(attributes) ? attributes[name] : undefined
  return typeof value === 'string' ? value : undefined
}

const textOf = ({ _: text }: Element): string => (typeof text === 'string' ? text.trim() : '')

function time(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? refuse('malformed') : at
}
