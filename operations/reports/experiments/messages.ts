/** Messages about results of experiments. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('experiments', {
  // Notes
  no_such_property: 'No hit of this site has ever had the property {property}.',
  several_variants: 'Visitors who were shown more than one variant in a day count for none of them: {count} in the period.',
  more_variants: '{count, plural, one {# more variant} other {# more variants}} with fewer visits are left out.',
  several_comparisons: 'Each variant is compared with the control. The p-values are corrected for that (Holm).',
  uneven_split:
    'Visitors are not split evenly: {shares}. A split counts as uneven if p is below {limit, number} (here {p}). If an even split was intended, find the cause before you trust the results.',
  share: '{variant} {count, number}',
  unknown_control: '{field} must be an existing value of the property: {known}; received {received}.',
  // Variants
  control: 'The control: {rate, number}% of {visitors, number} visitors converted.',
  too_little_data:
    'Too little data: the test is meaningful once at least {fewest} visitors with and {fewest} without a conversion are expected in each of the two groups.',
  better: 'Converts better than {control}: {rates}. {chance}',
  worse: 'Converts worse than {control}: {rates}. {chance}',
  undecided: 'No clear difference from {control}: {rates}. {chance}',
  rates: '{rate, number}% against {control_rate, number}%',
  rates_with_uplift: '{rates}, an uplift of {uplift}',
  rates_with_interval: '{rates}, an uplift of {uplift}, {confidence, number}% interval {from} to {to}',
  more_percent: '+{percent, number}%',
  percent: '{percent, number}%',
  rare: 'A difference like this would rarely occur by chance (p {p}).',
  maybe_chance: 'A difference like this may well be due to chance (p {p}).',
  p: '{p, number, ::.000}',
  less_than: 'less than {limit, number}',
  // The split
  split_evenly: 'According to the data, visitors are split evenly.',
  split_unevenly:
    'Visitors are not split evenly. If an even split was intended, find the cause before you trust the results: variants may be assigned, shown or counted in different ways.',
  split_unknown: 'Too little data to judge whether visitors are split evenly.',
  no_variant: 'No visitor was shown a variant in this period.',
  variants_are: 'Variants are values of the property {property}, sent with events.',
  other_experiments: 'Other experiments',
  uneven: 'The split is uneven.',
  variants_by: '{property}, by {goal}',
  no_goals_to_compare: 'There is no goal yet that variants could be compared by.',
  no_experiments: 'No property of events divides visitors into a few variants in this period.',
  other_properties: 'Other properties with few values ({count})',
  question: 'Does {property} change how many reach {goal}? An uplift of {uplift} % would matter.',
  goal: 'Goal',
  choose_experiment: 'Or choose what the variants of a property are compared by:',
  visits_with: '{count, plural, one {# visit} other {# visits}}',
  span: '{from} to {to}',
  converted: 'Converted',
  uplift: 'Uplift',
  interval_95: '95% interval',
  variant_figures: 'Figures of the variants',
  variant: 'Variant',
  needs: 'To find an uplift of {uplift, number}%, each variant needs {visitors, number} visitors.',
  enough: '{needs} They have as many.',
  days_left:
    '{needs} At the present rate, that takes {days, plural, one {# more day} other {# more days}}. If you stop earlier, go by the p-value for repeated looks.',
  sequential: 'p, repeated looks',
  corrected: 'p, corrected',
  send_variant: 'Send the variant that a visitor sees as a property: {code}',
  create_goal: 'Create a goal',
})
