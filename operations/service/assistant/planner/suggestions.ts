/** Six questions that can be answered, with names of the site if it has any. */
export function suggestionsFor(goals: readonly { readonly name: string }[]): string[] {
  const [goal] = goals
  return [
    'How are we doing this week?',
    'How many visitors did we have last month?',
    'Top 10 pages in the last 7 days',
    'Where do our visitors come from?',
    goal ? `Conversion rate of ${goal.name} this month` : 'Which countries do our visitors come from?',
    'Why did visitors change last week?',
  ]
}
