package server

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// partyOf returns the party that a request counts for: its key or, without keys, its address.
func partyOf(ctx context.Context) string {
	if r := recordOf(ctx); r != nil {
		return r.party
	}
	return ""
}

// addressOf returns the client address for limits. An IPv6 /64 network counts as one address,
// because one client usually controls all of it.
func addressOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap().WithZone(""); ip.Is6() && !ip.IsLoopback() {
		network, _ := ip.Prefix(64) // cannot fail for IPv6
		return network.String()
	}
	return ip.String()
}

// rates limits the request rate of each party.
type rates struct {
	limit rate.Limit // 0: unlimited
	burst int

	mu      sync.Mutex
	parties map[string]*rate.Limiter
	sweep   int // number of parties that triggers removal of inactive ones
}

const fewParties = 1024

func newRates(l Limits) *rates {
	burst := l.Burst
	if burst == 0 {
		burst = 2 * l.Rate
	}
	return &rates{limit: rate.Limit(l.Rate), burst: burst, parties: map[string]*rate.Limiter{}, sweep: fewParties}
}

// take counts a request. Above the rate limit it returns a problem with the time until a
// retry.
func (r *rates) take(party string, now time.Time) error {
	if r.limit == 0 {
		return nil
	}
	wait := r.reserve(party, now)
	if wait == 0 {
		return nil
	}
	p := newProblem("busy", "more than %.0f requests a second were made with this key or from this address; slow down", float64(r.limit))
	p.retry = wait
	return p
}

func (r *rates) reserve(party string, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.parties[party]
	if l == nil {
		if len(r.parties) >= r.sweep {
			for name, other := range r.parties {
				if other.TokensAt(now) >= float64(r.burst) {
					delete(r.parties, name)
				}
			}
			r.sweep = max(fewParties, 2*len(r.parties))
		}
		l = rate.NewLimiter(r.limit, r.burst)
		r.parties[party] = l
	}
	reservation := l.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// retryAfter returns the value of the Retry-After header in seconds.
func retryAfter(wait time.Duration) int {
	return int(min(max(wait+time.Second-1, time.Second), time.Minute) / time.Second)
}
