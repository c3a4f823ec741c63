/** Faults of a field that a form calls by a label of its own. */
import type { Detail } from '../../table/errors.ts'
import { common } from '../../texts/common.ts'
import { Message, Term } from '../../texts/message.ts'
import type { Reader } from '../../texts/reader.ts'
import { say, sayFault } from '../../texts/say.ts'

/** The faults, in which each field has its label of the form. @param labels by the name of the field */
export const calledBy = (labels: Readonly<Record<string, string>>, faults: readonly Detail[], reader: Reader): Detail[] =>
  faults.map(fault => {
    const { pointer, unsaid } = fault
    const name = pointer.slice(1)
    if (!Object.hasOwn(labels, name) || !(unsaid instanceof Message) || !(unsaid.params.field instanceof Term)) return fault
    return {
      ...fault,
      message: sayFault(
        reader,
        new Message(unsaid.code, { ...unsaid.params, field: say(reader, common.quoted, { text: labels[name] ?? '' }) }),
      ),
    }
  })
