package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// Environment variables for a bucket's credentials.
const (
	idEnv      = "AWS_ACCESS_KEY_ID"
	secretEnv  = "AWS_SECRET_ACCESS_KEY"
	sessionEnv = "AWS_SESSION_TOKEN"
)

// callTime is the timeout of one attempt of a call, and tries the number of attempts.
const (
	callTime = 2 * time.Minute
	tries    = 6
)

// bucket is a Place in an S3-compatible store.
type bucket struct {
	client         *minio.Client
	bucket, prefix string // prefix is empty or ends with a slash
	shown          string
}

const bucketForm = "give one such as s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION"

// openBucket parses an address. Errors do not repeat it, since it may contain secrets.
func openBucket(address string) (*bucket, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return nil, fmt.Errorf("the address of the bucket cannot be read; %s", bucketForm)
	case u.User != nil:
		return nil, fmt.Errorf("the address of the bucket has a user in it; give credentials in $%s and $%s", idEnv, secretEnv)
	}
	if err := s3utils.CheckValidBucketName(u.Host); err != nil {
		return nil, fmt.Errorf("%q cannot be a bucket: %w; %s", u.Host, err, bucketForm)
	}
	settings := u.Query()
	endpoint := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	for name := range settings {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("the address of the bucket has an unknown setting; %s", bucketForm)
		}
	}
	if text := settings.Get("endpoint"); text != "" {
		endpoint, err = url.Parse(text)
		if err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" || endpoint.User != nil || strings.Trim(endpoint.Path, "/") != "" {
			return nil, fmt.Errorf("the endpoint of the bucket is not http:// or https:// with a host; %s", bucketForm)
		}
	}
	id, secret := os.Getenv(idEnv), os.Getenv(secretEnv)
	if id == "" || secret == "" {
		return nil, fmt.Errorf("the bucket needs credentials; give them in $%s and $%s", idEnv, secretEnv)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = callTime / 2
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(id, secret, os.Getenv(sessionEnv)), Secure: endpoint.Scheme == "https",
		Region: settings.Get("region"), Transport: transport, MaxRetries: tries,
	})
	if err != nil {
		return nil, fmt.Errorf("opening the bucket: %w", err)
	}
	b := &bucket{client: client, bucket: u.Host, shown: "s3://" + u.Host + u.EscapedPath()}
	if b.prefix = strings.Trim(u.Path, "/"); b.prefix != "" {
		b.prefix += "/"
	}
	if settings.Get("endpoint") != "" {
		b.shown += "?endpoint=" + endpoint.Scheme + "://" + endpoint.Host
	}
	return b, nil
}

func (b *bucket) String() string { return b.shown }

// call makes one call with a timeout, and wraps its error with doing.
func (b *bucket) call(ctx context.Context, doing string, f func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, tries*callTime)
	defer cancel()
	err := f(bounded)
	var response minio.ErrorResponse
	_ = errors.As(err, &response)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case response.Code == minio.NoSuchKey:
		return fmt.Errorf("%s: %w", doing, fs.ErrNotExist)
	case response.Code == minio.NoSuchBucket:
		return fmt.Errorf("%s: there is no bucket %q at %s; create it first", doing, b.bucket, b.client.EndpointURL().Host)
	case response.StatusCode == http.StatusForbidden:
		return fmt.Errorf("%s: %s refuses the credentials in $%s (%s)", doing, b.client.EndpointURL().Host, idEnv, response.Code)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func (b *bucket) Put(ctx context.Context, name string, content []byte) error {
	return b.call(ctx, "storing "+name, func(ctx context.Context) error {
		_, err := b.client.PutObject(ctx, b.bucket, b.prefix+name, bytes.NewReader(content), int64(len(content)),
			minio.PutObjectOptions{DisableMultipart: true, SendContentMd5: true})
		return err
	})
}

func (b *bucket) Get(ctx context.Context, name string, most int64) (content []byte, err error) {
	err = b.call(ctx, "reading "+name, func(ctx context.Context) error {
		var object *minio.Object
		if object, err = b.client.GetObject(ctx, b.bucket, b.prefix+name, minio.GetObjectOptions{}); err != nil {
			return err
		}
		content, err = readAtMost(object, name, most)
		return errors.Join(err, object.Close())
	})
	return content, err
}

func (b *bucket) List(ctx context.Context, under string) (items []Item, err error) {
	err = b.call(ctx, "listing "+under, func(ctx context.Context) error {
		for object := range b.client.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix + under, Recursive: true}) {
			if object.Err != nil {
				return object.Err
			}
			items = append(items, Item{strings.TrimPrefix(object.Key, b.prefix), object.Size, object.LastModified})
		}
		return nil
	})
	return items, err
}

func (b *bucket) Delete(ctx context.Context, name string) error {
	return b.call(ctx, "deleting "+name, func(ctx context.Context) error {
		return b.client.RemoveObject(ctx, b.bucket, b.prefix+name, minio.RemoveObjectOptions{})
	})
}
