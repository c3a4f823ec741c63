/**
 * Draws the calendar in the panel of a period: two months, one on phones. A click on two days, or Enter on them, shows the days
 * between. Without scripts, the two days are typed into the form below it.
 */
const DAY = 86_400_000
/** @param {string} text */
const dayOf = text => Date.parse(`${text}T00:00:00Z`) / DAY
/** @param {number} day */
const textOf = day => new Date(day * DAY).toISOString().slice(0, 10)
/** The first day of a month. @param {number} day @param {number} later in months */
const monthOf = (day, later = 0) => {
  const date = new Date(day * DAY)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / DAY
}
/** @param {string} name @param {Record<string, string>} [attributes] @param {(Node | string)[]} inside */
const made = (name, attributes = {}, ...inside) => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...inside)
  return element
}

/** @param {HTMLElement} periods @param {HTMLElement} box */
function draw(periods, box) {
  const { today: now = '', begins: since = '', first: from = '', last: to = '', week = '1', locale } = periods.dataset
  const [today, begins, first, last] = [now, since, from, to].map(dayOf)
  if (today === undefined || begins === undefined || first === undefined || last === undefined || Number.isNaN(today)) return
  const written = (/** @type {Intl.DateTimeFormatOptions} */ options) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return (/** @type {number} */ day) => format.format(day * DAY)
  }
  const [monthName, fullName] = [written({ month: 'long', year: 'numeric' }), written({ dateStyle: 'full' })]
  const [shortWeekday, longWeekday] = [written({ weekday: 'short' }), written({ weekday: 'long' })]
  const weekdays = [...Array(7).keys()].map(i => 3 + Number(week) + i) // 1970-01-05 was a Monday
  const count = matchMedia('(max-width: 40rem)').matches ? 1 : 2
  const months = made('div', { class: 'months' })
  const told = made('p', { role: 'status', class: 'help' })
  let shown = monthOf(last, 1 - count)
  let at = last
  /** @type {number | undefined} */
  let begin

  /** Marks the chosen days. @param {number} [until] the day that the pointer or the focus is at */
  const mark = until => {
    const ends = begin === undefined ? [first, last] : [begin, until ?? begin]
    const [low, high] = [Math.min(...ends), Math.max(...ends)]
    for (const button of months.querySelectorAll('button')) {
      const day = Number(button.dataset.day)
      const cell = button.parentElement
      cell?.setAttribute('aria-selected', String(day >= low && day <= high))
      cell?.classList.toggle('end', day === low || day === high)
      button.tabIndex = day === at ? 0 : -1
    }
  }

  /** @param {number} start */
  const month = start => {
    const name = monthName(start)
    const head = made('tr', {}, ...weekdays.map(day => made('th', { scope: 'col', abbr: longWeekday(day) }, shortWeekday(day))))
    const days = monthOf(start, 1) - start
    const empty = (start - (weekdays[0] ?? 0)) % 7
    const cells = [...Array(empty + days).keys()].map(i => {
      const day = start + i - empty
      if (day < start) return made('td')
      const button = made('button', { type: 'button', 'data-day': String(day), 'aria-label': fullName(day) }, String(i - empty + 1))
      if (day > today) button.setAttribute('disabled', '')
      if (day < begins) button.className = 'before-data'
      if (day === today) button.setAttribute('aria-current', 'date')
      return made('td', {}, button)
    })
    const rows = [...Array(6).keys()].map(row => made('tr', {}, ...cells.slice(row * 7, row * 7 + 7)))
    return made(
      'table',
      { role: 'grid', 'aria-label': name },
      made('caption', {}, name),
      made('thead', {}, head),
      made('tbody', {}, ...rows),
    )
  }
  const [back, on] = [box.dataset.before ?? '', box.dataset.after ?? ''].map((label, i) => {
    const button = made('button', { type: 'button', class: `plain ${i === 0 ? 'back' : 'on'}`, 'aria-label': label })
    button.addEventListener('click', () => move(i === 0 ? -1 : 1))
    return button
  })
  const fill = () => {
    months.replaceChildren(...[...Array(count).keys()].map(i => month(monthOf(shown, i))))
    on?.toggleAttribute('disabled', monthOf(shown, count) > today)
    mark(begin === undefined ? undefined : at)
  }
  /** @param {number} by months */
  const move = by => {
    shown = monthOf(shown, by)
    at = Math.min(today, Math.max(shown, Math.min(at, monthOf(shown, count) - 1)))
    fill()
  }
  /** @param {number} day */
  const focus = day => {
    at = Math.min(today, day)
    if (at < shown || at >= monthOf(shown, count)) {
      shown = monthOf(at, at < shown ? 0 : 1 - count)
      fill()
    } else mark(begin === undefined ? undefined : at)
    const button = months.querySelector(`[data-day="${at}"]`)
    if (button instanceof HTMLElement) button.focus()
  }
  /** @param {number} day */
  const choose = day => {
    at = day
    if (begin === undefined) {
      begin = day
      told.textContent = box.dataset.choose ?? ''
      return mark(day)
    }
    const form = box.parentElement?.querySelector('form')
    const [from, to] = form ? form.querySelectorAll('input[type=date]') : []
    if (!(from instanceof HTMLInputElement) || !(to instanceof HTMLInputElement)) return
    from.value = textOf(Math.min(begin, day))
    to.value = textOf(Math.max(begin, day))
    form?.requestSubmit()
  }
  const dayAt = (/** @type {Event} */ event) => {
    const button = event.target instanceof Element ? event.target.closest('button[data-day]') : null
    return button instanceof HTMLElement ? Number(button.dataset.day) : undefined
  }
  months.addEventListener('click', event => {
    const day = dayAt(event)
    if (day !== undefined) choose(day)
  })
  months.addEventListener('pointerover', event => {
    const day = dayAt(event)
    if (begin !== undefined && day !== undefined) mark(day)
  })
  months.addEventListener('keydown', event => {
    const inWeek = (at - (weekdays[0] ?? 0)) % 7
    const inMonth = at - monthOf(at)
    const later = (/** @type {number} */ count) => Math.min(monthOf(at, count) + inMonth, monthOf(at, count + 1) - 1)
    const to = /** @type {Record<string, number>} */ ({
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - 7,
      ArrowDown: at + 7,
      Home: at - inWeek,
      End: at + 6 - inWeek,
      PageUp: later(event.shiftKey ? -12 : -1),
      PageDown: later(event.shiftKey ? 12 : 1),
    })[event.key]
    if (event.key === 'Escape' && begin !== undefined) {
      begin = undefined
      told.textContent = ''
      mark()
      event.stopPropagation()
    }
    if (to === undefined) return
    event.preventDefault()
    focus(to)
  })
  fill()
  box.append(...[back, on].filter(each => each !== undefined), months, told)
  box.hidden = false
}

// A panel is drawn when it is opened. The event does not bubble.
addEventListener(
  'toggle',
  event => {
    const panel = event.target
    const periods = panel instanceof HTMLDetailsElement && panel.open ? panel.closest('.periods') : null
    const box = periods?.querySelector('.calendar')
    if (periods instanceof HTMLElement && box instanceof HTMLElement && box.childElementCount === 0) draw(periods, box)
  },
  true,
)
