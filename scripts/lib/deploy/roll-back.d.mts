import type { Order } from './deploy.mjs'

export function rollBack(order: Order): Promise<void>
