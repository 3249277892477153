export interface Figures {
  readonly worker: number
  readonly runtime: number | null
}
export function medianOf(figures: readonly number[]): number
export const freeMilliseconds: number
export function rateWorkerCpu(figures: Figures): string
export function tableOfCpu(figures: readonly (Figures & { readonly action: string })[]): string
