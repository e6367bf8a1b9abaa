/** Where leader election reports to. */
export interface LeaseMetrics {
  /** This process began or ceased to lead. */
  leading(isLeading: boolean): void;
  /** Leadership ended although nobody asked this process to stop. */
  leadershipLost(): void;
  /** A request to renew a held lease ended after this long. */
  leaseRenewed(isSuccess: boolean, seconds: number): void;
}
