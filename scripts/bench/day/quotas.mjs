// Quotas and prices of Cloudflare, as its documents had them in July 2026: Workers, D1, Durable Objects, Queues, R2, Images.
// Quotas of the free plan hold for a day, quotas of the paid plan for a month.

const million = 1e6

/** `free`: a day. `paid`: what $5 a month include, and dollars for a million more. */
export const quotas = [
  { key: 'requests', name: 'requests of the Worker', free: 100_000, paid: 10 * million, price: 0.3 },
  { key: 'rowsRead', name: 'D1 rows read', free: 5 * million, paid: 25_000 * million, price: 0.001 },
  { key: 'rowsWritten', name: 'D1 rows written', free: 100_000, paid: 50 * million, price: 1 },
  { key: 'objectCalls', name: 'requests of Durable Objects', free: 100_000, paid: million, price: 0.15 },
  { key: 'objectSeconds', name: 'Durable Objects, GB-s', free: 13_000, paid: 400_000, price: 12.5 },
  {
    key: 'objectRowsRead',
    name: 'rows read by Durable Objects',
    free: 5 * million,
    paid: 25_000 * million,
    price: 0.001,
  },
  {
    key: 'objectRowsWritten',
    name: 'rows written by Durable Objects',
    free: 100_000,
    paid: 50 * million,
    price: 1,
  },
  { key: 'queueOperations', name: 'operations of Queues', free: 10_000, paid: million, price: 0.4 },
  // Of a month on both plans, from here on.
  { key: 'classA', name: 'R2 writes and lists', free: million / 30, paid: million, price: 4.5 },
  { key: 'classB', name: 'R2 reads', free: (10 * million) / 30, paid: 10 * million, price: 0.36 },
  { key: 'transformations', name: 'Images', free: 5_000 / 30, paid: 5_000, price: 500 },
]

/** Milliseconds of CPU that the paid plan includes a month, and dollars for a million more. */
export const cpu = { paid: 30 * million, price: 0.02 }

export const basePrice = 5
