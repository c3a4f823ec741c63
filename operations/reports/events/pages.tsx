export { eventDetail, pathOfEvent } from './pages/event-detail.tsx'
export { eventList } from './pages/event-list.tsx'
export { keysOfProperties } from './pages/property-keys.ts'
export { changeEvent, deleteEvent, mergeEvents } from './pages/event-forms.tsx'
