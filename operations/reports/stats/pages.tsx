export { breakdown } from './pages/breakdown.tsx'
export { chartOfGoal, figuresOfGoals } from './pages/goals.tsx'
export { overview } from './pages/overview.tsx'
export { timeseries } from './pages/timeseries.tsx'
