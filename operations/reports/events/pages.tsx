export { eventDetail, pathOfEvent } from './pages/event-detail.tsx'
export { eventList } from './pages/event-list.tsx'
