export interface Figures {
  readonly worker: number
  readonly runtime: number | null
}
export const freeMilliseconds: number
export function judgeWorkerCpu(figures: Figures): string
export function tableOfCpu(figures: readonly (Figures & { readonly action: string })[]): string
