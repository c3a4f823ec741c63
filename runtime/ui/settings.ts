/** Settings that are edited where they are read: the sections of a record, each saved by a button of its own. */
import type { Face } from '../table/face.ts'
import type { Operation, Typed } from '../table/operation.ts'
import type { PlainMessage } from '../texts/message.ts'
import type { FieldWords } from './fields/field-words.ts'

export interface SettingsSection<Field extends string = string> {
  /** Heading; a page with one section needs none. */
  readonly title?: PlainMessage
  /** Explains the whole section. */
  readonly help?: PlainMessage
  readonly fields: readonly Field[]
  readonly words?: { readonly [Name in Field]?: { readonly [Word in keyof FieldWords]: PlainMessage } }
}

/** Declared sections as the pages read them. */
export interface SettingsLayout extends Face {
  readonly kind: 'settings'
  readonly operation: Operation
  readonly sections: readonly SettingsSection[]
}

/**
 * Groups the fields of a change into sections. Fields that no section names are added to the last one, so that none is lost.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 * import { operation } from '../table/operation.ts'
 *
 * const settings_update = operation({
 *   route: 'PATCH /settings',
 *   summary: 'Change the settings',
 *   access: 'content.write',
 *   effect: 'update',
 *   input: { name: Type.Optional(Type.String({ description: 'The name.' })) },
 *   output: Type.Object({ name: Type.String({ description: 'The name.' }) }),
 *   examples: [{ input: { name: 'Shop' } }],
 *   run: () => ({ name: 'Shop' }),
 * })
 * assert.deepEqual(settings(settings_update, [{ fields: ['name'] }]).sections, [{ fields: ['name'] }])
 */
export function settings<I, D>(operation: Typed<I, D>, sections: readonly SettingsSection<keyof I & string>[]): SettingsLayout {
  return Object.freeze({ kind: 'settings', operation, sections: sections as readonly SettingsSection[] }) // names of fields are texts
}
