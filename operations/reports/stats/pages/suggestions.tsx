import { plainNumber } from '../../../../runtime/ui/format.ts'
import { suggestionsPath } from '../../../../runtime/ui/filter-form.tsx'
import { flagPath } from '../../../../runtime/ui/icons/flags.ts'
import { labelIn } from '../../../../runtime/ui/labels.ts'
import { Nothing } from '../../../../runtime/ui/share.tsx'
import { fill } from '../../../../runtime/ui/slot.ts'
import { view } from '../../../../runtime/ui/view.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { Suggestions, values_suggest } from '../suggestions/operation.ts'

/** Values with their visitors, as the script of the filters reads them. */
export const suggestions = view(Suggestions, ({ data: { dimension, rows }, page: { viewer } }) =>
  rows.length === 0 ? (
    <Nothing>{say(viewer, ui.nothing_in_period)}</Nothing>
  ) : (
    <ul class="card rows">
      {rows.map(row => (
        <li
          data-value={row.value}
          data-note={plainNumber(row.visitors, viewer)}
          data-flag={dimension === 'country' ? flagPath(row.value) : undefined}
        >
          {labelIn(dimension, row, viewer)}
        </li>
      ))}
    </ul>
  ),
)

/** Ends where the dimension is added. */
export const pathOfSuggestions = fill(suggestionsPath, ({ page }) => page.pathOf(values_suggest, { dimension: '' }))
