import { isbot } from 'isbot'
import { perUserAgent } from './per-user-agent.ts'

/** Automated browsers and monitoring services that isbot 5.2 does not recognize. */
const PROGRAMS = new RegExp(
  [
    'alertsite',
    'browserless',
    'cloud mapping experiment',
    'gtmetrix',
    'htmlunit',
    'jsdom',
    'ktxn',
    'nightmare',
    'pa11y',
    'puppeteer',
    'screenshot',
    'sitespeed',
    'slimerjs',
    'testcafe',
    'webdriver',
    'zombie\\.js',
  ].join('|'),
  'i',
)

/** Whether a hit is automated, also if it has no user agent: every browser sends one. */
export const isBot = perUserAgent(userAgent => userAgent.trim() === '' || isbot(userAgent) || PROGRAMS.test(userAgent))
