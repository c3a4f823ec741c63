/** What pages of the service work better with. Every part of them works without. */
import './chart.js'
import './dialog.js'
import './keys.js'
import './live.js'
import './swap.js'
