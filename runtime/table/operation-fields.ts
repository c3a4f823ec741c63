/** The fields of an operation's declaration, and the types that its functions derive from them. */
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Access, Effect, RateName, Reach, Route } from './access.ts'
import type { InputKind } from './answer-kinds.ts'
import type { Authenticator } from './authenticator.ts'
import type { Services } from './call-services.ts'
import type { Caller, MemberCaller } from './caller.ts'
import type { IconName } from './icons.ts'
import type { Form } from './page.ts'
import type { Permission, Role } from './permissions.ts'
import type { Addition, Quota } from './quota.ts'
import type { Subject } from './subject.ts'
import type { WireFormat } from './wire-format.ts'
import type { Sentence } from '../texts/message.ts'

type PathParams<R extends string> = R extends `${string}{${infer P}}${infer Rest}` ? P | PathParams<Rest> : never
// biome-ignore lint/suspicious/noExplicitAny: rows of all kinds meet here, and `unknown` would not be assignable to each one's own
export type AnySubject = Subject<string, any> // row types differ; `Handed` recovers each
type Handed<S extends AnySubject> = { readonly [K in S as K['name']]: K extends Subject<string, infer Row> ? Row : never }
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyAuthenticator = Authenticator<string, any>
type Shown<C extends AnyAuthenticator> = { readonly [K in C as K['name']]: K extends Authenticator<string, infer Row> ? Row : never }
/** Only members write; share links can call reads. */
type Calling<A extends Access, E extends Effect> = A extends 'public'
  ? object
  : { readonly caller: A extends 'account' | 'session' ? MemberCaller : E extends 'read' ? Caller : MemberCaller }
export type Input<R extends string, I extends TProperties> = Static<TObject<I>> & { readonly [K in PathParams<R>]: string }
/** The argument of the functions of an operation: services, the rows of its subjects, the caller and the input. */
export type Call<
  R extends string,
  A extends Access,
  E extends Effect,
  S extends AnySubject,
  I extends TProperties,
  C extends AnyAuthenticator,
> = Services & Handed<S> & Calling<A, E> & Shown<C> & { readonly input: Input<R, I> }

export interface Example {
  /** Describes the example, unless the operation's summary does. */
  readonly summary?: string
  /** Ids may name records of the example world: `{{site}}`, `{{alert}}` (see tests/support/world.ts). */
  readonly input: Readonly<Record<string, unknown>>
}

/** Parts of the navigation, by the question that their pages answer, in their order. */
export const navigationGroups = ['now', 'across', 'where_from', 'what_they_do', 'what_it_brings', 'watching', 'settings'] as const
export type NavigationGroup = (typeof navigationGroups)[number]
/** Places whose pages are tabs behind one entry, with the group of that entry. Pages of settings have tabs for their places as well. */
export const tabbedPlaces = {
  campaigns: 'where_from',
  visitors: 'what_they_do',
  general: 'settings',
  tracking: 'settings',
  rules: 'settings',
  channels: 'settings',
  records: 'settings',
  people: 'settings',
  programs: 'settings',
  sign_on: 'settings',
  integrations: 'settings',
  data: 'settings',
  sharing: 'settings',
  plan: 'settings',
  audit: 'settings',
} as const satisfies Readonly<Record<string, NavigationGroup>>
/** Where a page is found. `top`: a text field of the navigation; `aside`: only reached from other pages. */
export type Place = Exclude<NavigationGroup, 'settings'> | keyof typeof tabbedPlaces | 'top' | 'aside'

/** A further entry of the navigation: the page with these parameters of its path. */
export interface Entry {
  readonly place: Place
  readonly title: string
  readonly icon: IconName
  readonly path: Readonly<Record<string, string>>
}

/** Values that fields may have, by field. */
type States = Readonly<Record<string, readonly (string | number | boolean | null)[]>>

export interface Deprecation {
  /** The day of the release that deprecates it: `2026-12-01`. */
  readonly since: string
  /** The day from which a release may remove it. */
  readonly until?: string
  /** The operation to use in its place. */
  readonly instead?: string
}

export interface OfferedBy {
  /** Id of a list whose path has the parameters of the operation's. */
  readonly list: string
  /** The state that its first record must have. */
  readonly first: States
}

/** Texts and example rows of an empty list. */
export interface Emptiness {
  /** Its purpose, in one or two sentences. */
  readonly says: string
  /** A few rows as they may look, in values that need no translation: a name, and what belongs to it. */
  readonly like: readonly (readonly [name: string, detail: string])[]
}

/** @typeParam C what `run` receives before `prepare` adds to it */
export interface OperationFields<
  R extends Route,
  A extends Access,
  E extends Effect,
  S extends AnySubject,
  I extends TProperties,
  C extends AnyAuthenticator,
  P extends object,
> {
  readonly route: R
  readonly summary: string
  readonly description?: string
  /** Text of its page, if the description speaks to programs. */
  readonly help?: string
  /** Title of its page and of its link in the navigation. Defaults to the end of its path in words. */
  readonly title?: string
  /** Label of its button, at most four words. Defaults to the beginning of its summary. */
  readonly label?: string
  /** Texts of the page of a list while it is empty. */
  readonly empty?: Emptiness
  /** The sentence of a page after it succeeded: `Alert muted.` Defaults to one that says that its record was created, changed or deleted. */
  readonly done?: string
  /** The part of the navigation with its page. Defaults to `records` for a list, otherwise to `aside`. */
  readonly place?: Place
  readonly icon?: IconName
  /** Its page in the navigation with parameters: one report that answers several questions. */
  readonly entries?: readonly Entry[]
  readonly access: A
  /** Required credential of an operation that is otherwise public; `run` receives its row. */
  readonly credential?: C
  /** Permissions needed as well as `access`, because the operation gives what they guard. */
  readonly needs?: readonly Permission[]
  /** Role that the caller needs in addition to the permission, with all of its permissions; a function if it depends on the change. */
  readonly role?: Role | ((call: Call<R, A, E, S, I, C>) => Role | undefined)
  /** The reach that a token restricted to sites must have; a function if it depends on the input. */
  readonly reach?: 'workspace' | ((call: Call<R, A, E, S, I, C>) => Reach)
  /** Any further reason to refuse this input to this caller; undefined to allow it. */
  readonly denies?: (call: Call<R, A, E, S, I, C>) => Sentence | undefined
  /** The quota that it uses, in the workspace of its path or in another; undefined if this call uses none. */
  readonly adds?: Quota | ((call: Call<R, A, E, S, I, C> & P) => Addition | undefined)
  /** The subjects of the path, outermost first: each is found and authorised, and `run` receives its row. */
  readonly on?: S | readonly S[]
  /**
   * Whether its site may be a group of sites. Defaults to true for reports, because the engine counts the sites of a group together,
   * and otherwise to false.
   */
  readonly groups?: boolean
  /** Locks the row that it changes, if that is the caller's own and no subject of the path. */
  readonly locks?: (call: Call<R, A, E, S, I, C>) => Promise<unknown>
  readonly effect: E
  /** States of the innermost record in which pages and agents should offer this: `{ status: ['paused'] }`. */
  readonly offered?: States
  /** Likewise, if another record has the state: the first one of a list. */
  readonly offeredBy?: OfferedBy
  /** Of a list: a subject whose place its records take, for example groups of sites. Callers who may name a site may name them. */
  readonly actAs?: AnySubject
  /** Path of a further page with a link to its form, or with the form itself if no page is above its path. */
  readonly linkedFrom?: string
  readonly input: I
  /** Kind of the input; default `json`. */
  readonly accepts?: InputKind
  /** Path parameters that are not subjects, with their schemas. */
  readonly path?: Readonly<Record<string, TSchema>>
  /**
   * Only within ten minutes of a sign-in, otherwise `reauthentication_required`. `session`: this applies only to sessions,
   * not to tokens.
   */
  readonly fresh?: true | 'session'
  /**
   * Changes how the caller signs in: the current password is asked for (`proofInput`), which replaces a recent sign-in. A function
   * if it depends on the change.
   */
  readonly proof?: true | ((call: Call<R, A, E, S, I, C>) => boolean)
  /** Concerns the account itself, outside of workspaces: refused for users whom an identity provider signed in (`withoutAccount`). */
  readonly ofPerson?: true
  /** For `public`: only from our own pages, as it makes a session. */
  readonly ownOrigin?: true
  /** The field of the answer with an external address that the browser continues to. */
  readonly onward?: string
  /** Also accepts a form of a page, in addition to JSON. */
  readonly form?: Form
  /** The surfaces that offer it. Defaults to all that support its kinds. */
  readonly surfaces?: readonly string[]
  /** A tighter limit than its access implies: `costly`. */
  readonly rate?: RateName
  /** Input or output fields with secrets: never audited or cached, and stored sealed for a repeated request. */
  readonly secrets?: readonly string[]
  /**
   * Whether it makes Footfall contact a host or a person, at once or later: by a request, a mail or a message. Agents ask their
   * users before such a call.
   */
  readonly contacts?: true
  /** The operation that deletes records which this one restores. Pages offer it after a deletion. */
  readonly undoes?: string
  /** Whether a POST loses an earlier state, as PATCH and DELETE do: it replaces values, or discards work or access. */
  readonly discards?: true
  /** It will end (docs/api.md, Deprecation). */
  readonly deprecated?: Deprecation
  /** Only programs call it: pages have no form for it. */
  readonly forPrograms?: true
  /** Not a change by a user, such as a probe's result: writes no audit entry. */
  readonly unaudited?: true
  /** The standard protocol that also defines it. */
  readonly wireFormat?: WireFormat
  readonly examples: readonly Example[]
  /**
   * Slow work before the transaction: storing an upload, calling another host. `run` receives its result's fields. It
   * runs only for a caller with the rights, and not for a repeated request. The bytes of an upload are not part of the
   * fingerprint of an Idempotency-Key.
   */
  prepare?(call: Call<R, A, E, S, I, C>): Promise<P>
}
