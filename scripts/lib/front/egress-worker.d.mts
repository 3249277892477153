import type { V4WorkerOptions } from 'miniflare'

export const egressName: string

export function egressWorker(order: { readonly compatibilityDate: string }): V4WorkerOptions
