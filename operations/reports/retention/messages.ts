import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('retention', {
  two_returns: '{goal} and {event} are mutually exclusive.',
  too_many_periods: 'This range has {count} periods; {most} is the maximum. Choose a longer interval or a shorter range.',
  nobody: 'Nobody whom the site identifies came for the first time in this period.',
  of_days: 'Day {index}',
  of_weeks: 'Week {index}',
  of_months: 'Month {index}',
  began: 'Began',
  people: 'People',
  came_back: 'How many came back',
  cohorts: 'By when they first came',
  by_value: 'Compared',
  cell: '{people} of {base} people',
  unfinished: 'not over',
  explained:
    'A row has the people who first came in that period. The figures to the right of it are the share of them who came back later. The last figure of a row is of a period that is not over.',
  lifetime: 'Revenue since',
  customers: 'Bought',
  repeated: 'Bought again',
})
