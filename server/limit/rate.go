package limit

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// AddressOf returns the client address for limits. An IPv6 /64 network counts as one address,
// because one client usually controls all of it.
func AddressOf(remote string) string {
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

// Rates limits the request rate of each party.
type Rates struct {
	limit rate.Limit // 0: unlimited
	burst int

	mu      sync.Mutex
	parties map[string]*rate.Limiter
	sweep   int // number of parties that triggers removal of inactive ones
}

const fewParties = 1024

// NewRates returns a limit of requests per second, 0 for none, and a burst size.
func NewRates(perSecond, burst int) *Rates {
	return &Rates{limit: rate.Limit(perSecond), burst: burst, parties: map[string]*rate.Limiter{}, sweep: fewParties}
}

// Take counts a request. Above the rate limit it returns a Refusal with the time until a
// retry.
func (r *Rates) Take(party string, now time.Time) error {
	if r.limit == 0 {
		return nil
	}
	wait := r.reserve(party, now)
	if wait == 0 {
		return nil
	}
	return busy(wait, "more than %.0f requests a second were made with this key or from this address; slow down", float64(r.limit))
}

func (r *Rates) reserve(party string, now time.Time) time.Duration {
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
