/** Messages about web vitals. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('performance', {
  no_vitals: 'No page load reported it in this period.',
  vitals_help:
    'Browsers of visitors measure how fast pages load, and how much they move. This needs “Web vitals” in the settings of the snippet.',
  vital: 'Vital',
  rating: 'Rating',
  good_to_poor: 'Good · middling · poor',
  loads: 'Loads',
  too_few_loads: 'Too few page loads a day reported it to draw a line. Figures of the whole period follow.',
  too_few: 'too few',
  divided_by: 'By',
  performance_by: 'Performance: {what}',
  no_loads: 'No page load was measured in this period.',
  turn_on_vitals: 'Turn on Web vitals in the settings of the snippet, and browsers report how fast your pages are.',
})
